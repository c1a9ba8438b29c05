import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { from as copyFrom } from 'pg-copy-streams';
import type { BulkTx } from '../../db/bulk.ts';
import { type CsvFormat, csvRecords } from '../../files/csv-records.ts';
import { withoutApostrophe } from '../../files/formula-cell.ts';
import { copyText } from '../import/row.ts';

/** Format of the report, without its header. */
const REPORT_FORMAT: CsvFormat = { delimiter: ',', escapedBy: '"', headerLine: 2 };

/**
 * Stores the lines of a report, as written by `ImportReport`, as problems of an import. Returns their number. Memory does not grow with it.
 */
export async function copyProblems(tx: BulkTx, importId: number, report: string): Promise<number> {
  const copy = tx.client.query(copyFrom('copy import_problems (import_id, line, email, outcome, reason) from stdin'));
  await pipeline(createReadStream(report, 'utf8'), (chunks) => copyLines(importId, chunks), copy);
  return copy.rowCount;
}

async function* copyLines(importId: number, chunks: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const { cells } of csvRecords(chunks, REPORT_FORMAT))
    yield `${[String(importId), ...cells.map((cell) => copyText(withoutApostrophe(cell)))].join('\t')}\n`;
}
