import { textOfHtml } from './html-text.ts';
import { LABEL } from './introductions.ts';

/** Ids, classes and names by which email clients mark the element that begins the quotation. They are the same in every language. */
const MARKS = [
  // Outlook on the web, for iOS and Android, and its predecessors Windows Live Mail and Hotmail
  ...['divRplyFwdMsg', 'appendonsend', 'mail-editor-reference-message-container', 'OLK_SRC_BODY_SECTION', 'stopSpelling'],
  // Gmail, Yahoo, Thunderbird, Proton, Tuta, Zoho, Zimbra, GMX and web.de, Mail.ru, Roundcube
  ...['gmail_quote', 'yahoo_quoted', 'moz-cite-prefix', 'protonmail_quote', 'tutanota_quote', 'zmail_extra', '__QUOTED_TEXT__'],
  ...['mailru-blockquote', 'reply-intro'],
];
const MARK = new RegExp(
  `<[a-z]{1,12}\\b[^<>]{0,300}?\\b(?:id|class|name|data-marker)\\s?=\\s?["']?(?:[^"'<>]{0,100}[\\s_])??(?:${MARKS.join('|')})|<div name="quote"`,
  'i',
);
/** The rule that Outlook for Windows draws above the copied header. */
const BORDER = /<div\b[^<>]{0,80}border:none;\s?border-top:\s?solid [^<>]{0,80}>/i;
const MAX_COPIED_HEADER = 4_000;

/**
 * Returns the text above the quotation in an HTML body; null if the structure shows no quotation. It is the beginning of the text of the
 * whole body.
 * @param html already truncated
 */
export function textAboveQuotation(html: string, maxLength: number): string | null {
  const at = [html.search(MARK), borderAt(html)].filter((index) => index >= 0);
  return at.length === 0 ? null : textOfHtml(html.slice(0, Math.min(...at)), maxLength);
}

/** Returns the index of the rule above a copied header, or -1. Other rules don't count, because authors draw them too. */
function borderAt(html: string): number {
  const at = html.search(BORDER);
  if (at === -1) return -1;
  const lines = textOfHtml(html.slice(at, at + MAX_COPIED_HEADER), MAX_COPIED_HEADER).split('\n');
  const first = lines.filter((line) => line.trim() !== '').slice(0, 3);
  return first.length === 3 && first.every((line) => LABEL.test(line)) ? at : -1;
}

/** Number of words that have to match at the end. */
const LAST_WORDS = 4;
const LETTERS = /[\p{L}\p{N}]+/gu;

/** Returns the index in the text where another form of its beginning ends. Finds it by the last words; null if they don't occur. */
export function endOfWords(text: string, beginning: string): number | null {
  const expected = beginning.match(LETTERS) ?? [];
  if (expected.length === 0) return 0;
  const last = expected.slice(-LAST_WORDS).join(' ');
  const words: string[] = [];
  // In plain text, links appear next to their words, so it may have more words.
  for (const match of text.slice(0, 2 * beginning.length + 1_000).matchAll(LETTERS)) {
    words.push(match[0]);
    if (words.length >= expected.length && words.slice(-Math.min(LAST_WORDS, expected.length)).join(' ') === last)
      return match.index + match[0].length;
  }
  return null;
}
