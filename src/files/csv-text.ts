import { type Options, stringify } from 'csv-stringify/sync';
import { formulaSafe } from './formula-cell.ts';

/**
 * The options of csv-stringify with which every CSV is written (RFC 4180). Its own `escape_formulas` looks at the first character only, and
 * would miss formulas behind white space, apostrophes and invisible characters. Cells that hold another usual delimiter are quoted, so that
 * no program takes it for the delimiter of the file.
 */
export const CSV_OPTIONS: Options = {
  cast: { string: formulaSafe, boolean: String },
  quoted_match: /^\s|\s$|[;|\t]/,
};

/** Rows as CSV, each with a line break at its end; a cell that a spreadsheet could take for a formula has an apostrophe before it. */
export const csvText = (rows: readonly (readonly unknown[])[], lineBreak: '\n' | '\r\n' = '\n'): string =>
  stringify(rows as unknown[][], { ...CSV_OPTIONS, record_delimiter: lineBreak });
