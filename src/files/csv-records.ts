/** One record of a CSV file. */
export interface CsvRecord {
  /** The line on which it begins, from 1. CR LF, LF and CR each end a line. */
  line: number;
  cells: string[];
}

export interface CsvFormat {
  /** One UTF-16 code unit. */
  delimiter: string;
  escapedBy: '"' | '\\';
  /** Line of the header: 1, or 2 after the line `sep=;` that spreadsheets write. */
  headerLine: 1 | 2;
}

/** The text can't be divided into records, from `line` on. */
export class CsvSyntaxError extends Error {
  readonly line: number;

  constructor(line: number, problem: string) {
    super(problem);
    this.line = line;
  }
}

/** Limits a record in UTF-16 code units: one with an unclosed quote would otherwise extend to the end of the file. */
const MAX_RECORD = 4 * 1024 * 1024;
const [LF, CR, QUOTE, BACKSLASH] = [0x0a, 0x0d, 0x22, 0x5c];

/**
 * Divides text into the records of RFC 4180, more tolerantly: blank lines are left out, records need not have the same width, and a
 * quotation mark within a cell, or text after a closing one, belongs to the value. It looks at each character once, which takes a
 * tenth of the time of a general parser; an import spends most of its own time here.
 */
export class CsvReader {
  readonly #delimiter: number;
  readonly #backslash: boolean;
  #toSkip: number;
  /** Text from the beginning of the first record that has not been returned. */
  #text = '';
  #at = 0;
  #line = 1;

  constructor({ delimiter, escapedBy, headerLine }: CsvFormat) {
    this.#delimiter = delimiter.charCodeAt(0);
    this.#backslash = escapedBy === '\\';
    this.#toSkip = headerLine - 1;
  }

  /**
   * Takes the next part of the text, and returns the records that end in it. Throws `CsvSyntaxError`.
   * @param isLast true if the text ends here, and with it the last record
   */
  read(text: string, isLast = false): CsvRecord[] {
    this.#text = this.#text.slice(this.#at) + text;
    this.#at = 0;
    const records: CsvRecord[] = [];
    while (this.#at < this.#text.length) {
      const [begin, line] = [this.#at, this.#line];
      const cells = this.#record(isLast);
      if ((cells === undefined ? this.#text.length : this.#at) - begin > MAX_RECORD)
        throw new CsvSyntaxError(line, 'a row is longer than 4 MiB, perhaps because a quotation mark is never closed');
      if (cells === undefined) {
        if (isLast) throw new CsvSyntaxError(line, 'a quotation mark is never closed');
        this.#at = begin;
        this.#line = line;
        break;
      }
      if (this.#toSkip > 0) this.#toSkip--;
      else if (cells.length > 0) records.push({ line, cells });
    }
    return records;
  }

  /** Reads to the end of a record and of its line. Returns no cells for a blank line, undefined if the record goes on in text to come. */
  #record(isLast: boolean): string[] | undefined {
    const text = this.#text;
    const cells: string[] = [];
    const begin = this.#at;
    for (;;) {
      const cell = text.charCodeAt(this.#at) === QUOTE ? this.#quoted(isLast) : this.#plain(this.#at);
      if (cell === undefined) return undefined;
      const isBlank = cells.length === 0 && this.#at === begin;
      const ending = text.charCodeAt(this.#at);
      // Without the next character it is not known whether the record ends here, or a CR and an LF end one line.
      if (!isLast && this.#at + (ending === CR ? 1 : 0) >= text.length) return undefined;
      if (!isBlank || ending === this.#delimiter) cells.push(cell);
      this.#at++;
      if (ending === this.#delimiter) continue;
      if (ending === CR && text.charCodeAt(this.#at) === LF) this.#at++;
      this.#line++;
      return cells;
    }
  }

  /** Reads the rest of a cell that ends at a delimiter or a line break, and returns the text from `begin`. */
  #plain(begin: number): string {
    const text = this.#text;
    const delimiter = this.#delimiter;
    let at = this.#at;
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === delimiter || code === LF || code === CR) break;
    }
    this.#at = at;
    return text.slice(begin, at);
  }

  /** Reads a quoted cell, and what stands between it and the delimiter: then its quotation marks belong to the value. */
  #quoted(isLast: boolean): string | undefined {
    const text = this.#text;
    let value = '';
    let from = this.#at + 1;
    for (let at = from; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (this.#backslash ? code === BACKSLASH : code === QUOTE && text.charCodeAt(at + 1) === QUOTE) {
        value += text.slice(from, at);
        // The next character belongs to the value, whatever it is.
        from = ++at;
      } else if (code === QUOTE) {
        value += text.slice(from, at);
        this.#at = at + 1;
        if (this.#at === text.length && !isLast) return undefined;
        const rest = this.#plain(this.#at);
        return rest === '' ? value : `"${value}"${rest}`;
      }
      if (endsLine(text, at)) this.#line++;
    }
    return undefined;
  }
}

/** True for a line break; CR LF is one, counted at its LF. */
function endsLine(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code === LF || (code === CR && text.charCodeAt(at + 1) !== LF);
}
