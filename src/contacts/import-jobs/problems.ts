import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { parse } from 'csv-parse';
import { from as copyFrom } from 'pg-copy-streams';
import type { BulkTx } from '../../db/bulk.ts';
import { withoutApostrophe } from '../../files/formula-cell.ts';
import { copyText } from '../import/row.ts';

/** Stores the lines of a report, as `ImportReport` writes it, as problems of an import. Returns how many; memory does not grow with them. */
export async function copyProblems(tx: BulkTx, importId: number, report: string): Promise<number> {
  const copy = tx.client.query(copyFrom('copy import_problems (import_id, line, email, outcome, reason) from stdin'));
  await pipeline(createReadStream(report), parse({ from_line: 2 }), (records) => copyLines(importId, records), copy);
  return copy.rowCount;
}

async function* copyLines(importId: number, records: AsyncIterable<string[]>): AsyncGenerator<string> {
  for await (const cells of records) yield `${[String(importId), ...cells.map((cell) => copyText(withoutApostrophe(cell)))].join('\t')}\n`;
}
