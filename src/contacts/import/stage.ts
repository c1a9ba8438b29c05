import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { CsvError, type Info, parse } from 'csv-parse';
import { from as copyFrom } from 'pg-copy-streams';
import { invalid, messageOf, OutreachError } from '../../core/errors.ts';
import type { BulkTx } from '../../db/bulk.ts';
import { sql } from '../../db/statement.ts';
import { type CsvWords, type Dialect, parserOptions } from '../../files/csv-dialect.ts';
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

/** Number of rows in the file, and of invalid ones. */
export interface Staged {
  rows: number;
  rejected: number;
}

/** Limits a row in bytes: one with an unclosed quote would otherwise extend to the end of the file. */
const MAX_RECORD = 4 * 1024 * 1024;
const CHUNK = 64 * 1024;

/** Reads the header only. Throws `invalid_request` if the file has no lines. */
export async function readHeader(source: Source): Promise<string[]> {
  for await (const { record } of records({ ...source, progress: () => undefined })) return record;
  throw invalid(`${source.words.file} has no lines; the first must name the columns`);
}

/**
 * Copies the valid rows into the staging table, which is dropped at the end of the transaction, and writes the others to
 * the report. Neither the file nor its problems are held in memory.
 */
export async function stageRows(tx: BulkTx, source: Source, columns: Columns, report: ImportReport): Promise<Staged> {
  await tx.query(sql`
    create temporary table import_rows (line integer, email text, name text, company text, custom_fields jsonb) on commit drop`);
  const staged: Staged = { rows: 0, rejected: 0 };
  const copy = tx.client.query(copyFrom('copy import_rows from stdin'));
  await pipeline(copyLines(source, columns, report, staged), copy, source.signal === undefined ? {} : { signal: source.signal });
  await tx.query(sql`analyze import_rows`);
  return staged;
}

async function* copyLines(source: Source, columns: Columns, report: ImportReport, staged: Staged): AsyncGenerator<string> {
  let chunk = '';
  let isHeader = true;
  for await (const { record, info } of records({ ...source, progress: (bytes) => source.progress(bytes, staged.rows) })) {
    if (isHeader) {
      isHeader = false;
      continue;
    }
    staged.rows++;
    const line = firstLine(record, info);
    try {
      chunk += copyLine(line, checkRow(record, columns));
    } catch (error) {
      if (!(error instanceof OutreachError)) throw error;
      staged.rejected++;
      await report.reject(line, (record[columns.email] ?? '').slice(0, 254), error.message);
    }
    if (chunk.length < CHUNK) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk !== '') yield chunk;
}

interface ReadRecord {
  record: string[];
  info: Info;
}

/** Yields the records of the file, header included. Throws `invalid_request` with the line that can't be parsed. */
async function* records(source: Source): AsyncGenerator<ReadRecord> {
  const parser = parse({ ...parserOptions(source.dialect), info: true, max_record_size: MAX_RECORD });
  const reading = pipeline(utf8(source), parser).catch((error: unknown) => void parser.destroy(error as Error));
  let readTo = 0;
  try {
    for await (const read of parser as AsyncIterable<ReadRecord>) {
      readTo = read.info.lines;
      yield read;
    }
  } catch (error) {
    if (error instanceof CsvError) throw invalid(`${source.words.file}, line ${readTo + 1}: ${csvProblem(error)}`, { cause: error });
    throw error;
  } finally {
    parser.destroy();
    await reading;
  }
}

function csvProblem(error: CsvError): string {
  if (error.code === 'CSV_QUOTE_NOT_CLOSED') return 'a quotation mark is never closed; nothing was imported';
  if (error.code === 'CSV_MAX_RECORD_SIZE') return 'a row is longer than 4 MiB; is a quotation mark never closed? Nothing was imported';
  return messageOf(error);
}

async function* utf8({ path, words, dialect, progress, signal }: Source): AsyncGenerator<Buffer> {
  const decoder = dialect.encoding === 'utf-8' ? undefined : new TextDecoder(dialect.encoding, { fatal: true });
  let bytes = 0;
  const input = createReadStream(path, { highWaterMark: 256 * 1024, ...(signal === undefined ? {} : { signal }) });
  for await (const chunk of input as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    progress(bytes, 0);
    yield decoder === undefined ? chunk : decode(decoder, chunk, words);
  }
  if (decoder !== undefined) decode(decoder, undefined, words);
}

/** @param chunk undefined at the end of the file, which must not split a character */
function decode(decoder: InstanceType<typeof TextDecoder>, chunk: Buffer | undefined, { option }: CsvWords): Buffer {
  try {
    return Buffer.from(decoder.decode(chunk, { stream: chunk !== undefined }));
  } catch {
    throw invalid(`the file is not in ${decoder.encoding}; give its encoding with ${option('encoding')}`);
  }
}

/** Line on which a record begins: it may hold line breaks, and `info` gives the line on which it ends. */
function firstLine(record: readonly string[], info: Info): number {
  let breaks = 0;
  for (const cell of record) if (cell.includes('\n') || cell.includes('\r')) breaks += cell.split(/\r\n|\n|\r/).length - 1;
  return info.lines - breaks;
}
