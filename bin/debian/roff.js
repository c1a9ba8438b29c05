// Formats text for man(7).

/**
 * Escapes the text of one paragraph: roff's escape character, hyphens as minus signs, so that options can be copied, and lines that would
 * start a request.
 */
export const roff = (text) =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll(/^([.'])/gm, '\\&$1');

/** Formats text in bold. */
export const bold = (text) => `\\fB${roff(text)}\\fR`;

/** Formats a word that the reader replaces. */
export const placeholder = (text) => `\\fI${roff(text)}\\fR`;

/** Converts Markdown: removes links, and formats code in bold. */
export const fromMarkdown = (text) =>
  text
    .replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .split('`')
    .map((part, index) => (index % 2 === 0 ? roff(part) : bold(part)))
    .join('');

/** Formats an entry of a list: a tag, with its meaning below it. */
export const entry = (tag, text) => `.TP\n${tag}\n${text}`;

/** Formats lines unchanged. */
export const literal = (lines) => `.nf\n.RS 4\n${lines.map(roff).join('\n')}\n.RE\n.fi`;

/** Formats the head of a page, without a date. */
export const head = (name, section, summary) =>
  `.TH ${name.toUpperCase()} ${section} "" "Outreach"\n.SH NAME\n${roff(name)} \\- ${roff(summary)}`;
