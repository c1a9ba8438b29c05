import { type Caller, visible } from '../../access/index.ts';
import type { App } from '../../app.ts';
import { invalid, notFound } from '../../core/errors.ts';
import type { BulkTx } from '../../db/bulk.ts';
import { type Sql, sql } from '../../db/statement.ts';
import { formulaSafe } from '../../files/formula-cell.ts';
import { type CustomFieldRow, listCustomFields } from '../custom-fields.ts';
import { type ContactRow, contactColumns } from '../read-contact.ts';
import type { CampaignSearch } from '../search/campaign-search.ts';
import { searchCondition } from '../search/condition.ts';

export interface ExportRequest {
  format: 'csv' | 'ndjson';
  /** A query of the Smart Search language; without one, every contact that is not archived. */
  search?: string | undefined;
  /** Name of a list. */
  list?: string | undefined;
  signal?: AbortSignal | undefined;
  /** Called with the rows written so far. */
  progress?: (rows: number) => void;
}

const BATCH = 1_000;
const COLUMNS = ['id', 'email', 'name', 'company', 'is_archived', 'is_shared_to_all', 'created_at', 'updated_at'] as const;

/**
 * Exports contacts as CSV or JSON lines, by id, streamed from one snapshot. In CSV, custom fields are columns `cf.<key>`,
 * and a possible formula has an apostrophe before it, which an import removes. Throws `invalid_request` for an invalid
 * search query and `not_found` for an unknown list.
 */
export async function exportContacts(
  app: App,
  caller: Caller,
  request: ExportRequest,
  campaigns: CampaignSearch,
  write: (pieces: AsyncIterable<string>) => Promise<void>,
): Promise<number> {
  const search = request.search === undefined ? undefined : await searchCondition(app, caller, request.search, campaigns);
  const base = search?.condition ?? sql`${visible(caller, 'contacts', 'c')} and not c.is_archived`;
  const list = request.list === undefined ? undefined : await listNamed(app, caller, request.list);
  const condition =
    list === undefined ? base : sql`${base} and exists (select 1 from list_members m where m.contact_id = c.id and m.list_id = ${list})`;
  const fields = await listCustomFields(app.db, caller);
  let written = 0;
  await app.db.bulk((tx) => write(pieces(tx)), { signal: request.signal, mode: 'isolation level repeatable read read only' });
  return written;

  async function* pieces(tx: BulkTx): AsyncGenerator<string> {
    if (request.format === 'csv') yield `${[...COLUMNS, ...fields.map(({ key }) => `cf.${key}`)].join(',')}\r\n`;
    const line = request.format === 'csv' ? (row: ContactRow) => csvLine(row, fields) : (row: ContactRow) => `${JSON.stringify(row)}\n`;
    for await (const rows of batches(tx, caller, condition)) {
      yield rows.map(line).join('');
      written += rows.length;
      request.progress?.(written);
    }
  }
}

async function* batches(tx: BulkTx, caller: Caller, condition: Sql): AsyncGenerator<ContactRow[]> {
  await tx.query(sql`set local cursor_tuple_fraction = 1`);
  await tx.query(
    sql`declare exported no scroll cursor for select ${contactColumns(caller)} from contacts c where ${condition} order by c.id`,
  );
  for (;;) {
    const rows = await tx.query<ContactRow>(sql`fetch ${sqlNumber(BATCH)} from exported`);
    if (rows.length > 0) yield rows;
    if (rows.length < BATCH) return;
  }
}

/** FETCH takes no parameters. */
const sqlNumber = (value: number): Sql => sql([String(value)]);

async function listNamed(app: App, caller: Caller, name: string): Promise<number> {
  const lists = await app.db.query<{ id: number }>(
    sql`select l.id from lists l where ${visible(caller, 'lists', 'l')} and lower(l.name) = lower(${name.trim()})`,
  );
  if (lists.length > 1) throw invalid(`--list: ${lists.length} lists are named "${name}"; use --search "list_id:${lists[0]?.id}"`);
  if (lists[0] === undefined) throw notFound(`list "${name}"`);
  return lists[0].id;
}

/** RFC 4180, lines ended by CR and LF. */
function csvLine(row: ContactRow, fields: readonly CustomFieldRow[]): string {
  const cells = [...COLUMNS.map((column) => row[column]), ...fields.map(({ key }) => row.custom_fields[key])];
  return `${cells.map((value) => csvCell(value === null || value === undefined ? '' : String(value))).join(',')}\r\n`;
}

function csvCell(text: string): string {
  const safe = formulaSafe(text);
  return /^\s|\s$|[",;|\t\r\n]/.test(safe) || safe !== text ? `"${safe.replaceAll('"', '""')}"` : safe;
}
