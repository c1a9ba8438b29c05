import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { from as copyFrom } from 'pg-copy-streams';
import { quantity } from '../../core/english.ts';
import { invalid, OutreachError } from '../../core/errors.ts';
import type { BulkTx } from '../../db/bulk.ts';
import { sql } from '../../db/statement.ts';
import type { CsvWords, Dialect } from '../../files/csv-dialect.ts';
import { type CsvRecord, CsvSyntaxError, csvRecords } from '../../files/csv-records.ts';
import type { Columns } from './columns.ts';
import type { ImportReport } from './report.ts';
import { checkRow, copyLine } from './row.ts';

export interface Source {
  path: string;
  words: CsvWords;
  dialect: Dialect;
  /** Called with the bytes and rows read so far. */
  progress(bytes: number, rows: number): void;
  signal: AbortSignal | undefined;
}

/** Number of rows in the file, of invalid rows, and of cells that were cleaned in the valid ones. */
export interface Staged {
  rows: number;
  rejected: number;
  cleaned: number;
}

/** Returns the risk of an address, to be stored with its row; undefined if it has none. */
type RiskOf = (email: string) => string | undefined;

/** Number of characters sent to PostgreSQL in one chunk. */
const COPY_CHUNK = 64 * 1024;

/** Limits of a header: each column is compared with each custom field, and the result names the columns that are not imported. */
const MAX_COLUMNS = 1_000;
const MAX_HEADER = 100_000;

/** Reads only the header. Throws `invalid_request` if the file has no lines, or too many columns. */
export async function readHeader(source: Source): Promise<string[]> {
  const [header] = await firstRecords(source, 1);
  return header?.cells ?? [];
}

/**
 * Reads the header and the rows after it, up to `count` records. Throws `invalid_request` if the file has no lines, or a header with too
 * many columns.
 */
export async function firstRecords(source: Source, count: number): Promise<CsvRecord[]> {
  const found: CsvRecord[] = [];
  for await (const record of records({ ...source, progress: () => undefined })) {
    const { cells } = record;
    if (found.length === 0 && (cells.length > MAX_COLUMNS || cells.reduce((sum, cell) => sum + cell.length, 0) > MAX_HEADER))
      throw invalid(
        `${source.words.file} has a first line of ${quantity(cells.length, 'column')}; at most 1,000, of 100,000 characters together`,
      );
    if (found.push(record) === count) break;
  }
  if (found.length === 0) throw invalid(`${source.words.file} has no lines; the first must name the columns`);
  return found;
}

/**
 * Copies the valid rows into the staging table, which is dropped at the end of the transaction, and writes the invalid ones to the report.
 * Neither the file nor its problems are held in memory.
 */
export async function stageRows(tx: BulkTx, source: Source, columns: Columns, riskOf: RiskOf, report: ImportReport): Promise<Staged> {
  await tx.query(sql`
    create temporary table import_rows (line integer, email text, name text, company text, custom_fields jsonb, risk text) on commit drop`);
  const staged: Staged = { rows: 0, rejected: 0, cleaned: 0 };
  const copy = tx.client.query(copyFrom('copy import_rows from stdin'));
  await pipeline(copyLines(source, columns, riskOf, report, staged), copy, source.signal === undefined ? {} : { signal: source.signal });
  await tx.query(sql`analyze import_rows`);
  return staged;
}

/** Yields the valid rows as text for COPY. */
async function* copyLines(source: Source, columns: Columns, riskOf: RiskOf, report: ImportReport, staged: Staged): AsyncGenerator<string> {
  let isHeader = true;
  let lines = '';
  for await (const { line, cells } of records({ ...source, progress: (bytes) => source.progress(bytes, staged.rows) })) {
    if (isHeader) {
      isHeader = false;
      continue;
    }
    staged.rows++;
    try {
      const row = checkRow(cells, columns);
      staged.cleaned += row.cleaned;
      lines += copyLine(line, row, riskOf(row.email));
    } catch (error) {
      if (!(error instanceof OutreachError)) throw error;
      staged.rejected++;
      await report.addProblem({ line, outcome: 'rejected', reason: error.message }, (cells[columns.email] ?? '').slice(0, 254));
    }
    if (lines.length < COPY_CHUNK) continue;
    yield lines;
    lines = '';
  }
  if (lines !== '') yield lines;
}

/** Yields the records of the file, header included. Throws `invalid_request` with the line that can't be parsed. */
async function* records(source: Source): AsyncGenerator<CsvRecord> {
  try {
    yield* csvRecords(textOf(source), source.dialect);
  } catch (error) {
    if (!(error instanceof CsvSyntaxError)) throw error;
    throw invalid(`${source.words.file}, line ${error.line}: ${error.message}; nothing was imported`, { cause: error });
  }
}

async function* textOf({ path, words, dialect, progress, signal }: Source): AsyncGenerator<string> {
  const decoder = new TextDecoder(dialect.encoding, { fatal: true });
  let bytes = 0;
  const input = createReadStream(path, signal === undefined ? {} : { signal });
  for await (const chunk of input as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    progress(bytes, 0);
    yield decode(decoder, chunk, words);
  }
  yield decode(decoder, undefined, words);
}

/** @param chunk undefined at the end of the file, which must not split a character */
function decode(decoder: InstanceType<typeof TextDecoder>, chunk: Buffer | undefined, { option }: CsvWords): string {
  try {
    return decoder.decode(chunk, { stream: chunk !== undefined });
  } catch {
    throw invalid(`the file is not in ${decoder.encoding}; give its encoding with ${option('encoding')}`);
  }
}
