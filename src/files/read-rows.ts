import { readFileSync } from 'node:fs';
import { invalid } from '../core/errors.ts';
import { findDialect } from './csv-dialect.ts';
import { type CsvRecord, CsvSyntaxError, csvRecords } from './csv-records.ts';
import { withoutApostrophe } from './formula-cell.ts';
import { fileSize } from './input-file.ts';

/** Larger files belong to `contact import`, which streams. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Throws `invalid_request` for a file that is too large for `readRows`, or that can't be read. */
export function requireSmall(path: string): void {
  if (fileSize(path) > MAX_BYTES) throw invalid(`${path} is larger than 64 MiB; split it`);
}

/**
 * Reads the records of a CSV file of any common dialect, header included, into memory. Cells are trimmed, and the apostrophe that keeps a
 * spreadsheet from evaluating one is removed. Throws `invalid_request` for a file that is not CSV or is too large.
 */
export async function readRows(path: string, given: Parameters<typeof findDialect>[1] = {}): Promise<CsvRecord[]> {
  requireSmall(path);
  const dialect = await findDialect(path, given);
  const text = new TextDecoder(dialect.encoding).decode(readFileSync(path));
  try {
    return await Array.fromAsync(csvRecords([text], dialect), ({ line, cells }) => ({
      line,
      cells: cells.map((cell) => withoutApostrophe(cell).trim()),
    }));
  } catch (error) {
    if (error instanceof CsvSyntaxError) throw invalid(`${path}, line ${error.line}: ${error.message}`, { cause: error });
    throw error;
  }
}
