import { escapeHtml } from './page.ts';

/** A character of an address. A bar separates the texts of a choice. */
const CHARACTER = String.raw`[^\s<>"'{}|]`;
/** The last character of an address. A full stop or a closing bracket at the end is not part of it. */
const LAST = String.raw`[^\s<>"'{}|.,;:!?)\]]`;
const PLACEHOLDER = String.raw`\{\{(?!\s*(?:[#/]|else\s*\}\}))[^{}\n]*\}\}`;
/** A condition that begins and ends within the address. */
const CONDITION = String.raw`\{\{#if [^{}\n]*\}\}(?:${CHARACTER}|${PLACEHOLDER}|\{\{else\}\})*\{\{/if\}\}`;
const CHOICE = String.raw`\{(?:${CHARACTER}|${PLACEHOLDER}|\|)*\}`;
const MARK = `${CONDITION}|${PLACEHOLDER}|${CHOICE}`;
const ADDRESS = new RegExp(
  String.raw`((?:\bhttps?://|(?<![\w@./-])www\.)(?:${CHARACTER}|${MARK})*(?:${LAST}|${MARK})|\{\{\s*unsubscribe_url\s*\}\})`,
);
const TEMPLATE_MARKS = new RegExp(`${CONDITION}|${PLACEHOLDER}`, 'g');

/**
 * Converts plain text to HTML. Empty lines separate paragraphs, and a line break within a paragraph stays a line break. Web addresses
 * become links, with the placeholders in them, and so does the placeholder of the unsubscribe link. Placeholders stay unchanged.
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

const linked = (text: string) =>
  text
    .split(ADDRESS)
    .map((part, index) => (index % 2 === 0 ? escapeHtml(part) : link(part)))
    .join('');

/**
 * Makes an address a link. One with a choice stays text, because the choice could come out differently in the target and in the text of the
 * link.
 */
function link(address: string): string {
  const shown = escapeHtml(address);
  if (address.replaceAll(TEMPLATE_MARKS, '').includes('{')) return shown;
  return `<a href="${address.startsWith('www.') ? 'https://' : ''}${shown}">${shown}</a>`;
}
