import { Parser } from 'htmlparser2';

/** The layout of an element: the line breaks around it, and its special treatment. */
interface Layout {
  breaks: number;
  /** Its text is not displayed. */
  isHidden?: boolean;
  /** A space separates it from the one before. */
  isCell?: boolean;
}

const all = (names: string, layout: Layout) => names.split(' ').map((name) => [name, layout] as const);
/** Elements that are not listed, such as links and bold words, contribute only their text. */
const LAYOUTS: ReadonlyMap<string, Layout> = new Map([
  ...all('blockquote dl h1 h2 h3 h4 h5 h6 ol p pre ul', { breaks: 2 }),
  ...all('address article aside body center dd div dt footer form header hr li main section table tbody thead tr', { breaks: 1 }),
  ...all('br', { breaks: 0 }),
  ...all('td th', { breaks: 0, isCell: true }),
  ...all('head script style template title', { breaks: 0, isHidden: true }),
]);
const MAX_QUOTE_DEPTH = 5;
/** White space other than single spaces. */
const UNCOLLAPSED = / {2}|[\t\r\n\f\u200b]/;
const RULE = '-'.repeat(40);

/**
 * Returns the text of an HTML body as it is displayed: one line for each block, `> ` before quoted lines. Stops writing at about
 * `maxLength` characters. The parser searches its stack of open elements for each end tag, so callers truncate the HTML: 200,000 characters
 * of the worst nesting take 1.5 s.
 */
export function textOfHtml(html: string, maxLength: number): string {
  const lines = new LineWriter(maxLength);
  const parser = new Parser(
    {
      ontext: (text) => lines.write(text),
      onopentagname: (name) => lines.open(name),
      onclosetag: (name) => lines.close(name),
    },
    // If there are no references to decode, the parser can skip from tag to tag.
    { decodeEntities: html.includes('&') },
  );
  parser.end(html);
  return lines.text;
}

class LineWriter {
  readonly #maxLength: number;
  #text = '';
  /** Line breaks to write before the next word. */
  #breaks = 0;
  #isSpaceDue = false;
  #quotes = 0;
  /** Depth of quotation of the last word. */
  #writtenQuotes = 0;
  #hidden = 0;
  #preformatted = 0;

  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  get text(): string {
    return this.#text;
  }

  open(name: string): void {
    const layout = LAYOUTS.get(name);
    if (layout === undefined) return;
    if (layout.isHidden) this.#hidden++;
    // The end tag of a head is optional.
    if (name === 'body') this.#hidden = 0;
    if (name === 'br') this.#breakBy();
    this.#endLine(layout);
    if (name === 'blockquote') this.#quotes++;
    if (name === 'pre') this.#preformatted++;
    if (name === 'li') this.write('* ');
    if (name === 'hr') this.write(RULE);
    if (layout.isCell) this.#isSpaceDue = true;
  }

  close(name: string): void {
    const layout = LAYOUTS.get(name);
    if (layout === undefined) return;
    if (layout.isHidden) this.#hidden = Math.max(0, this.#hidden - 1);
    this.#endLine(layout);
    if (name === 'blockquote') this.#quotes--;
    if (name === 'pre') this.#preformatted--;
  }

  /** Writes text. Outside `<pre>`, white space becomes one space, and none at the start of a line. */
  write(text: string): void {
    if (this.#hidden > 0 || this.#text.length >= this.#maxLength) return;
    if (this.#preformatted > 0) this.#writeLines(text);
    else this.#writeWords(text);
  }

  #writeLines(text: string): void {
    for (const [index, line] of text.split('\n').entries()) {
      if (index > 0) this.#breakBy();
      if (line !== '') this.#append(line);
    }
  }

  #writeWords(text: string): void {
    const words = UNCOLLAPSED.test(text) ? text.replaceAll(/[ \t\r\n\f\u200b]+/g, ' ') : text;
    const isIndented = words.startsWith(' ');
    if (words === ' ') this.#isSpaceDue = true;
    if (words === ' ' || words === '') return;
    if (isIndented) this.#isSpaceDue = true;
    const end = words.endsWith(' ') ? words.length - 1 : words.length;
    this.#append(words.slice(isIndented ? 1 : 0, end));
    this.#isSpaceDue = end < words.length;
  }

  #append(words: string): void {
    if (this.#text === '') this.#text = quoteMark(this.#quotes);
    else if (this.#breaks > 0) this.#startLine();
    else if (this.#isSpaceDue) this.#text += ' ';
    this.#isSpaceDue = false;
    this.#breaks = 0;
    this.#writtenQuotes = this.#quotes;
    this.#text += words;
  }

  /** Starts a line, after the blank lines that are due. A blank line before or after a quotation is not part of it. */
  #startLine(): void {
    const blank = quoteMark(Math.min(this.#quotes, this.#writtenQuotes)).trimEnd();
    this.#text += `${`\n${blank}`.repeat(this.#breaks - 1)}\n${quoteMark(this.#quotes)}`;
  }

  /** Adds a line break, as `<br>` does. */
  #breakBy(): void {
    this.#breaks = Math.min(this.#breaks + 1, 4);
  }

  #endLine({ breaks }: Layout): void {
    this.#breaks = Math.max(this.#breaks, breaks);
  }
}

const quoteMark = (depth: number) => '> '.repeat(Math.max(0, Math.min(depth, MAX_QUOTE_DEPTH)));
