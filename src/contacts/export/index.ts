import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Caller, visible } from '../../access/index.ts';
import type { App } from '../../app.ts';
import type { BulkTx } from '../../db/bulk.ts';
import { type Sql, sql } from '../../db/statement.ts';
import { csvText } from '../../files/csv-text.ts';
import { listCustomFields } from '../custom-fields.ts';
import { type ContactRow, contactColumns } from '../read-contact.ts';
import type { CampaignSearch } from '../search/campaign-search.ts';
import { searchCondition } from '../search/condition.ts';

export const EXPORT_FORMATS = ['csv', 'ndjson'] as const;

export interface ExportRequest {
  format: (typeof EXPORT_FORMATS)[number];
  /** A query of the Smart Search language; without one, every contact that is not archived. */
  search?: string | undefined;
  /** Id of a list. A list that the caller can't see counts as empty. */
  listId?: number | undefined;
}

const BATCH_SIZE = 1_000;
const COLUMNS = ['id', 'email', 'name', 'company', 'is_archived', 'is_shared_to_all', 'created_at', 'updated_at'] as const;

/**
 * Exports contacts as CSV or JSON lines, by id, in pieces of one snapshot. In CSV, custom fields are columns `cf.<key>`, and a possible
 * formula is prefixed with an apostrophe, which an import removes. Nothing is read before the first piece is requested; from then on a
 * connection is held until the last piece or until the reader returns. Throws `invalid_request` for an invalid search query.
 */
export async function exportContacts(
  app: App,
  caller: Caller,
  { format, search: query, listId }: ExportRequest,
  campaigns: CampaignSearch,
): Promise<AsyncIterable<string>> {
  const search = query === undefined ? undefined : await searchCondition(app, caller, query, campaigns);
  const base = search?.condition ?? sql`${visible(caller, 'contacts', 'c')} and not c.is_archived`;
  const condition = listId === undefined ? base : sql`${base} and ${isOnList(caller, listId)}`;
  const fields = await listCustomFields(app.db, caller);
  const cells = (row: ContactRow) => [...COLUMNS.map((column) => row[column]), ...fields.map(({ key }) => row.custom_fields[key])];
  return snapshot(app, async function* (tx) {
    if (format === 'csv') yield csvText([[...COLUMNS, ...fields.map(({ key }) => `cf.${key}`)]], '\r\n');
    for await (const rows of batches(tx, caller, condition))
      yield format === 'csv' ? csvText(rows.map(cells), '\r\n') : rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  });
}

const isOnList = (caller: Caller, listId: number): Sql => sql`exists (select 1 from list_members m join lists l on l.id = m.list_id
  where m.contact_id = c.id and m.list_id = ${listId} and ${visible(caller, 'lists', 'l')})`;

/** Reads pieces in one transaction, which ends after the last piece or when the reader returns early. */
async function* snapshot(app: App, pieces: (tx: BulkTx) => AsyncIterable<string>): AsyncGenerator<string> {
  const pipe = new PassThrough({ objectMode: true, highWaterMark: 1 });
  const gone = new AbortController();
  const done = app.db
    .bulk((tx) => pipeline(pieces(tx), pipe), { signal: gone.signal, mode: 'isolation level repeatable read read only' })
    .catch((error: Error) => void pipe.destroy(error));
  try {
    yield* pipe;
  } finally {
    pipe.destroy();
    gone.abort();
    await done;
  }
}

async function* batches(tx: BulkTx, caller: Caller, condition: Sql): AsyncGenerator<ContactRow[]> {
  await tx.query(sql`set local cursor_tuple_fraction = 1`);
  await tx.query(
    sql`declare exported no scroll cursor for select ${contactColumns(caller)} from contacts c where ${condition} order by c.id`,
  );
  for (;;) {
    const rows = await tx.query<ContactRow>(sql`fetch ${sqlNumber(BATCH_SIZE)} from exported`);
    if (rows.length > 0) yield rows;
    if (rows.length < BATCH_SIZE) return;
  }
}

/** FETCH takes no parameters. */
const sqlNumber = (value: number): Sql => sql([String(value)]);
