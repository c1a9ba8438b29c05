import { readFileSync } from 'node:fs';
import { CsvError, parse } from 'csv-parse/sync';
import { invalid } from '../core/errors.ts';
import { findDialect, parserOptions } from './csv-dialect.ts';
import { withoutApostrophe } from './formula-cell.ts';
import { fileSize } from './input-file.ts';

/** A row of a CSV file: its cells, trimmed, and the line on which it ends, from 1. */
export interface FileRow {
  line: number;
  cells: string[];
}

/** Larger files belong to `contact import`, which streams. */
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * Reads the rows of a CSV file of any common dialect, header included, into memory. Blank lines are left out, and the apostrophe that
 * keeps a spreadsheet from evaluating a cell is removed. Throws `invalid_request` for a file that is not CSV or is too large.
 */
export async function readRows(path: string): Promise<FileRow[]> {
  if (fileSize(path) > MAX_BYTES) throw invalid(`${path} is larger than 64 MiB; split it`);
  const dialect = await findDialect(path, {});
  const text = new TextDecoder(dialect.encoding).decode(readFileSync(path));
  try {
    const records: unknown = parse(text, { ...parserOptions(dialect), info: true });
    return (records as { record: string[]; info: { lines: number } }[]).map(({ record, info }) => ({
      line: info.lines,
      cells: record.map((cell) => withoutApostrophe(cell).trim()),
    }));
  } catch (error) {
    if (error instanceof CsvError) throw invalid(`${path}: ${error.message}`, { cause: error });
    throw error;
  }
}
