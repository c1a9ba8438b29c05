import { escapeHtml } from './page.ts';

/** A character of an address. A bar stands between the texts of a choice. */
const CHARACTER = String.raw`[^\s<>"'{}|]`;
/** The last one: a full stop or a bracket there is not part of the address. */
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
 * Plain text as HTML: paragraphs are separated by empty lines, a line break within one stays a line break, and web addresses
 * become links, with the placeholders in them, and so does the placeholder of the unsubscribe link. Placeholders stay as they are.
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

/** An address with a choice stays text: its link and what is shown of it could come out differently. */
function link(address: string): string {
  const shown = escapeHtml(address);
  if (address.replaceAll(TEMPLATE_MARKS, '').includes('{')) return shown;
  return `<a href="${address.startsWith('www.') ? 'https://' : ''}${shown}">${shown}</a>`;
}
