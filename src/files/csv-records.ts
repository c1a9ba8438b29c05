import { pipeline } from 'node:stream';
import { CsvError, type Options, parse } from 'csv-parse';

/** One record of a CSV file. */
export interface CsvRecord {
  /** The line on which it begins, from 1. CR LF, LF and CR each end a line. */
  line: number;
  cells: string[];
}

export interface CsvFormat {
  delimiter: string;
  escapedBy: '"' | '\\';
  /** Line of the header, from 1. Above it there may be the line `sep=;` that spreadsheets write, and titles or notes. */
  headerLine: number;
}

/** The error for text that can't be divided into records, from `line` on. */
export class CsvSyntaxError extends Error {
  readonly line: number;

  constructor(line: number, problem: string, options: ErrorOptions) {
    super(problem, options);
    this.line = line;
  }
}

/** Maximum size of a record in bytes. A record with an unclosed quote would otherwise extend to the end of the file. */
const MAX_RECORD_BYTES = 4 * 1024 * 1024;

const PROBLEMS: Partial<Record<string, string>> = {
  CSV_MAX_RECORD_SIZE: 'a row is longer than 4 MiB, perhaps because a quotation mark is never closed',
  CSV_QUOTE_NOT_CLOSED: 'a quotation mark is never closed',
};

/**
 * Divides text into the records of RFC 4180, but more tolerantly: skips blank lines, accepts records of different widths, and treats a
 * quotation mark within a cell, or text after a closing one, as part of the value. Memory holds one record and one chunk of the text.
 * Throws `CsvSyntaxError`, and any error of `chunks`.
 */
export async function* csvRecords(chunks: Iterable<string> | AsyncIterable<string>, format: CsvFormat): AsyncGenerator<CsvRecord> {
  let lastLine = 0;
  // csv-parse counts a CR LF within quotes as two lines.
  let countedTwice = 0;
  const options: Options<CsvRecord, string[]> = {
    delimiter: format.delimiter,
    escape: format.escapedBy,
    from_line: format.headerLine,
    record_delimiter: ['\r\n', '\n', '\r'],
    max_record_size: MAX_RECORD_BYTES,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    on_record(cells, { lines }) {
      const breaks = cells.flatMap((cell) => cell.match(/\r\n|\n|\r/g) ?? []);
      countedTwice += breaks.filter((lineBreak) => lineBreak === '\r\n').length;
      lastLine = lines - countedTwice;
      return { line: lastLine - breaks.length, cells };
    },
  };
  // The types of csv-parse allow `on_record` to return other records only if the columns are named.
  const parser = parse(options as unknown as Options);
  // An error destroys the parser, so the loop throws it.
  pipeline(chunks, parser, () => undefined);
  try {
    yield* parser as AsyncIterable<CsvRecord>;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new CsvSyntaxError(lastLine + 1, PROBLEMS[error.code] ?? error.message, { cause: error });
  }
}
