import { type Options, stringify } from 'csv-stringify/sync';
import { formulaSafe } from './formula-cell.ts';

/**
 * The csv-stringify options for every CSV that is written (RFC 4180). `escape_formulas` of csv-stringify checks only the first character,
 * and would miss formulas behind white space, apostrophes and invisible characters. Cells that contain another common delimiter are quoted,
 * so that no program takes it for the delimiter of the file.
 */
export const CSV_OPTIONS: Options = {
  cast: { string: formulaSafe, boolean: String },
  quoted_match: /^\s|\s$|[;|\t]/,
};

/**
 * Formats rows as CSV, each with a line break at its end. An apostrophe is put before a cell that a spreadsheet could take for a formula.
 */
export const csvText = (rows: readonly (readonly unknown[])[], lineBreak: '\n' | '\r\n' = '\n'): string =>
  stringify(rows as unknown[][], { ...CSV_OPTIONS, record_delimiter: lineBreak });
