import { escapeHtml } from './page.ts';

/**
 * Plain text as HTML: paragraphs are separated by empty lines, a line break within one stays a line break, and web addresses
 * become links. Placeholders stay as they are.
 */
export function paragraphsOf(text: string): string {
  const paragraphs = text
    .replaceAll('\r\n', '\n')
    .trim()
    .split(/\n[ \t]*(?:\n[ \t]*)+/);
  return paragraphs.map((paragraph) => `<p>${lineBreaks(linked(paragraph))}</p>`).join('\n');
}

const lineBreaks = (html: string) => html.replaceAll(/[ \t]*\n/g, '<br>\n');

/** The escaped text; a full stop or a bracket at the end of an address is not part of it. */
const linked = (text: string) =>
  text
    .split(/(\bhttps?:\/\/[^\s<>"'{}]*[^\s<>"'{}.,;:!?)\]])/)
    .map((part, index) => (index % 2 === 0 ? escapeHtml(part) : `<a href="${escapeHtml(part)}">${escapeHtml(part)}</a>`))
    .join('');
