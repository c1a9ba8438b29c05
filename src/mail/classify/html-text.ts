import { Parser } from 'htmlparser2';

/** Elements that stand on lines of their own, and the line breaks around them. */
const BREAKS: ReadonlyMap<string, number> = new Map([
  ...['blockquote', 'dl', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ol', 'p', 'pre', 'ul'].map((name) => [name, 2] as const),
  ...['address', 'article', 'aside', 'body', 'center', 'dd', 'div', 'dt', 'footer', 'form', 'header', 'hr', 'li', 'main', 'section'].map(
    (name) => [name, 1] as const,
  ),
  ...['table', 'tbody', 'thead', 'tr'].map((name) => [name, 1] as const),
]);
/** Elements whose text nobody sees. */
const HIDDEN = new Set(['head', 'script', 'style', 'template', 'title']);
const CELLS = new Set(['td', 'th']);
const MAX_QUOTE_DEPTH = 5;
/** White space that is not one space. */
const UNEVEN = / {2}|[\t\r\n\f\u200b]/;
const RULE = '-'.repeat(40);

/**
 * The text of an HTML body as a reader sees it: a line for each block, `> ` before the lines of a quotation. One pass, so
 * that the time is proportional to the length, whatever it contains; the text is cut to `most` characters.
 */
export function textOfHtml(html: string, most: number): string {
  const lines = new LineWriter(most);
  const parser = new Parser({
    ontext: (text) => lines.write(text),
    onopentagname: (name) => lines.open(name),
    onclosetag: (name) => lines.close(name),
  });
  parser.end(html);
  return lines.text;
}

class LineWriter {
  readonly #most: number;
  #text = '';
  /** Line breaks due before the next word. */
  #breaks = 0;
  #isSpaceDue = false;
  #quotes = 0;
  /** The quotations around the last word. */
  #writtenQuotes = 0;
  #hidden = 0;
  #preformatted = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get text(): string {
    return this.#text;
  }

  open(name: string): void {
    if (HIDDEN.has(name)) this.#hidden++;
    // A head may lack its end.
    if (name === 'body') this.#hidden = 0;
    if (name === 'br') this.#breakBy();
    this.#endLine(name);
    if (name === 'blockquote') this.#quotes++;
    if (name === 'pre') this.#preformatted++;
    if (name === 'li') this.write('* ');
    if (name === 'hr') this.write(RULE);
    if (CELLS.has(name)) this.#isSpaceDue = true;
  }

  close(name: string): void {
    if (HIDDEN.has(name)) this.#hidden = Math.max(0, this.#hidden - 1);
    this.#endLine(name);
    if (name === 'blockquote') this.#quotes--;
    if (name === 'pre') this.#preformatted--;
  }

  /** Writes text, whose white space outside `<pre>` is one space, or none at the start of a line. */
  write(text: string): void {
    if (this.#hidden > 0 || this.#text.length >= this.#most) return;
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
    const words = UNEVEN.test(text) ? text.replaceAll(/[ \t\r\n\f\u200b]+/g, ' ') : text;
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

  /** A blank line before or after a quotation is not part of it. */
  #startLine(): void {
    const blank = quoteMark(Math.min(this.#quotes, this.#writtenQuotes)).trimEnd();
    this.#text += `${`\n${blank}`.repeat(this.#breaks - 1)}\n${quoteMark(this.#quotes)}`;
  }

  /** A break that counts each time, as `<br>` does. */
  #breakBy(): void {
    this.#breaks = Math.min(this.#breaks + 1, 4);
  }

  #endLine(name: string): void {
    this.#breaks = Math.max(this.#breaks, BREAKS.get(name) ?? 0);
  }
}

const quoteMark = (depth: number) => '> '.repeat(Math.max(0, Math.min(depth, MAX_QUOTE_DEPTH)));
