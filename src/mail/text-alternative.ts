import { compile } from 'html-to-text';

const SCHEME = /^(?:https?:\/\/|mailto:)/i;

/**
 * The target of a link whose text is that address with spaces in it, as a company has them in its name: a program would end the link at the
 * first. It has a scheme if the text has one. Null for any other link.
 */
function spacedAddress(text: string, target: string): string | null {
  const bare = (address: string) => decodeURIComponent(address).replace(SCHEME, '').toLowerCase();
  try {
    if (!text.includes(' ') || bare(text) !== bare(target)) return null;
  } catch {
    return null;
  }
  return SCHEME.test(text) ? target : target.replace(SCHEME, '');
}

/** The words of an element, as they are read. */
const wordsOf = (element: { data?: string; children?: readonly { data?: string }[] }): string =>
  (element.data ?? (element.children ?? []).map((child) => wordsOf(child)).join('')).replaceAll(/\s+/g, ' ').trim();

/** Elements that nobody sees, such as the words that email clients show beside the subject. */
const HIDDEN = ['[hidden]', '[style*="display:none"]', '[style*="display: none"]', '[style*="mso-hide:all"]', '[style*="mso-hide: all"]'];
const HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'];

// Compiled once: compiling the selectors for every email took a fifth of the time to compose it.
const toText = compile({
  formatters: {
    /** A link: its text and its target in brackets, or one of them where the text is an address, or there is none. */
    link: (element, walk, builder) => {
      const target: string = element.attribs?.href ?? '';
      const address = spacedAddress(wordsOf(element), target);
      if (address !== null) return builder.addInline(address, { noWordTransform: true });
      let text = '';
      builder.pushWordTransform((word: string) => {
        text += (text === '' ? '' : ' ') + word;
        return word;
      });
      walk(element.children, builder);
      builder.popWordTransform();
      const isAddress = /^(?:https?:\/\/|www\.|mailto:)\S+$/i.test(text) || target.replace(/^mailto:/i, '') === text;
      if (target !== '' && !isAddress) builder.addInline(text === '' ? target : ` [${target}]`, { noWordTransform: true });
    },
    // Its words must not run into those of the next one.
    cell: (element, walk, builder) => {
      walk(element.children, builder);
      builder.addInline(' ');
    },
  },
  wordwrap: false,
  // It recurses. The HTML of an email has been checked for depth, but for elements whose end tag may be left out.
  limits: { maxDepth: 500 },
  selectors: [
    { selector: 'img', format: 'skip' },
    { selector: 'a', format: 'link' },
    { selector: 'table', format: 'inline' },
    { selector: 'tr', format: 'block', options: { leadingLineBreaks: 1, trailingLineBreaks: 1 } },
    ...['td', 'th'].map((selector) => ({ selector, format: 'cell' })),
    // As a person would type it: capitals would change codes, and names with letters that have none.
    ...HEADINGS.map((selector) => ({ selector, options: { uppercase: false } })),
    ...HIDDEN.map((selector) => ({ selector, format: 'skip' })),
  ],
});

/** The text alternative of an HTML body, as a person would type it: links with their URLs, cells apart, no images, nothing hidden, the author's line breaks. */
export const textOf = (html: string): string => toText(html);
