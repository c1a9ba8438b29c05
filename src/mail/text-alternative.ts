import { compile } from 'html-to-text';

const SCHEME = /^(?:https?:\/\/|mailto:)/i;

/**
 * Returns the target of a link whose text is the same address, but with spaces, such as those of a company name merged into it. In plain
 * text, programs would end the link at the first space. The returned target has a scheme if the text has one. Null for any other link.
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

/** Returns the text of an element with single spaces. */
const wordsOf = (element: { data?: string; children?: readonly { data?: string }[] }): string =>
  (element.data ?? (element.children ?? []).map((child) => wordsOf(child)).join('')).replaceAll(/\s+/g, ' ').trim();

/** Elements that are not displayed, such as the preview text that email clients show next to the subject. */
const HIDDEN = ['[hidden]', '[style*="display:none"]', '[style*="display: none"]', '[style*="mso-hide:all"]', '[style*="mso-hide: all"]'];
const HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'];

// Compiled once: compiling the selectors for every email took a fifth of the time to compose it.
const toText = compile({
  formatters: {
    /**
     * Writes a link as its text and its target in brackets; as the text alone if that is an address; as the target alone if there is no
     * text.
     */
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
    // A space keeps the words of a cell apart from those of the next one.
    cell: (element, walk, builder) => {
      walk(element.children, builder);
      builder.addInline(' ');
    },
  },
  wordwrap: false,
  // The conversion is recursive. The depth of the HTML was checked before, but not for elements whose end tag is optional.
  limits: { maxDepth: 500 },
  selectors: [
    { selector: 'img', format: 'skip' },
    { selector: 'a', format: 'link' },
    { selector: 'table', format: 'inline' },
    { selector: 'tr', format: 'block', options: { leadingLineBreaks: 1, trailingLineBreaks: 1 } },
    ...['td', 'th'].map((selector) => ({ selector, format: 'cell' })),
    // Headings keep their case: capitals would change codes, and names with letters that have no capital form.
    ...HEADINGS.map((selector) => ({ selector, options: { uppercase: false } })),
    ...HIDDEN.map((selector) => ({ selector, format: 'skip' })),
  ],
});

/**
 * Returns the text alternative of an HTML body: links with their URLs, a space between cells, the author's line breaks, no images, nothing
 * hidden.
 */
export const textOf = (html: string): string => toText(html);
