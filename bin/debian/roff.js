// Text as man(7) takes it.

/** Text of one paragraph: roff's escape character, its minus for every hyphen, so that options can be copied, and no line that starts a request. */
export const roff = (text) =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll(/^([.'])/gm, '\\&$1');

/** Text in bold. */
export const bold = (text) => `\\fB${roff(text)}\\fR`;

/** A word that the reader replaces. */
export const placeholder = (text) => `\\fI${roff(text)}\\fR`;

/** Markdown without its links, code in bold. */
export const fromMarkdown = (text) =>
  text
    .replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .split('`')
    .map((part, index) => (index % 2 === 0 ? roff(part) : bold(part)))
    .join('');

/** An entry of a list: a tag, and what it means below it. */
export const entry = (tag, text) => `.TP\n${tag}\n${text}`;

/** Lines as they are. */
export const literal = (lines) => `.nf\n.RS 4\n${lines.map(roff).join('\n')}\n.RE\n.fi`;

/** The head of a page. The date is that of the release, or of the build where it has none. */
export const head = (name, section, summary) =>
  `.TH ${name.toUpperCase()} ${section} "" "Outreach"\n.SH NAME\n${roff(name)} \\- ${roff(summary)}`;
