import { escapeHtml } from './page.ts';

/**
 * Plain text as HTML: paragraphs are separated by empty lines, a line break within one stays a line break, and web addresses
 * become links. Placeholders stay as they are.
 */
export function paragraphsOf(text: string): string {
  const paragraphs: string[][] = [[]];
  for (const line of text.trim().split(/\r?\n/)) {
    const isFirst = paragraphs.at(-1)?.length === 0;
    const shown = line.replace(/(?<![ \t])[ \t]+$/, '');
    if (shown !== '') paragraphs.at(-1)?.push(linked(isFirst ? shown.trimStart() : shown));
    else if (!isFirst) paragraphs.push([]);
  }
  return paragraphs.map((lines) => `<p>${lines.join('<br>\n')}</p>`).join('\n');
}

/** The escaped text; a full stop or a bracket at the end of an address is not part of it. */
const linked = (text: string) =>
  text
    .split(/(\bhttps?:\/\/[^\s<>"'{}]*[^\s<>"'{}.,;:!?)\]])/)
    .map((part, index) => (index % 2 === 0 ? escapeHtml(part) : `<a href="${escapeHtml(part)}">${escapeHtml(part)}</a>`))
    .join('');
