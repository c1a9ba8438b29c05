import { to as copyTo } from 'pg-copy-streams';
import type { Caller } from '../../access/index.ts';
import type { App } from '../../app.ts';
import { SQLSTATE, sqlState } from '../../core/errors.ts';
import type { BulkTx } from '../../db/bulk.ts';
import { raw, type Sql, sql } from '../../db/statement.ts';
import { forgetPlans } from '../../db/statistics.ts';
import { suppressedCondition } from '../suppressions.ts';
import type { ImportReport } from './report.ts';

export interface MergeOptions {
  /** Every contact of the file goes on this list, new or not. */
  listId: number | null;
  /** Whether values of the file replace those of contacts that exist. */
  update: boolean;
}

/** What became of the rows that keep the rules. */
export interface Merged {
  imported: number;
  updated: number;
  /** Rows whose address a contact of the workspace had already, archived or not. */
  existing: number;
  /** Rows whose address stands further up in the file. */
  duplicates: number;
  /** Rows, among all of the others, whose address is suppressed. */
  suppressed: number;
  added_to_list: number;
}

/**
 * Makes contacts of the staged rows, all in one statement, so that counters are locked for its end only. An address that
 * a contact of the workspace has (decisions B19: any case, archived ones too) makes no second one.
 */
export async function mergeRows(tx: BulkTx, app: App, caller: Caller, options: MergeOptions, report: ImportReport): Promise<Merged> {
  const now = app.clock.now();
  const merged: Merged = { imported: 0, updated: 0, existing: 0, duplicates: 0, suppressed: 0, added_to_list: 0 };
  // The index of text is written through a list of what is pending: the longer that may grow, the less each row costs.
  await tx.query(sql`set local work_mem = '64MB'; set local gin_pending_list_limit = '32MB'`);
  await forgetPlans(tx);
  merged.duplicates = await reportRows(tx, dropDuplicates, report);
  await tx.query(findSuppressed(app, caller.workspaceId));
  merged.suppressed = await reportRows(tx, suppressedRows, report);
  for (;;) {
    await tx.query(findExisting(caller.workspaceId));
    if (options.update) merged.updated += await countOf(tx, updateExisting(now));
    if (options.listId !== null) merged.added_to_list += await countOf(tx, addExisting(options.listId, now));
    merged.existing += options.update ? await countOf(tx, countExisting) : await reportRows(tx, existingRows, report);
    await tx.query(sql`delete from import_rows r using import_found f where r.line = f.line`);
    const wanted = await countOf(tx, sql`select count(*)::int as count from import_rows`);
    const inserted = await insertRows(tx, caller, options.listId, now);
    merged.imported += inserted;
    if (options.listId !== null) merged.added_to_list += inserted;
    if (inserted === wanted) break;
    // Somebody made a contact with one of these addresses meanwhile; it is found in the next round.
    await tx.query(dropInserted(caller.workspaceId));
  }
  // Searches read what is pending row by row, so nothing is left to them.
  await tx.query(writePending);
  return merged;
}

const dropDuplicates = sql`
  with firsts as (select lower(email) as address, min(line) as line from import_rows group by 1 having count(*) > 1)
  delete from import_rows r using firsts f where lower(r.email) = f.address and r.line <> f.line
  returning r.line, ${formulaSafe('r.email')}, 'duplicate', 'the same address as in line ' || f.line`;

const findSuppressed = (app: App, workspaceId: number): Sql => sql`
  create temporary table import_suppressed on commit drop as
    select r.line, r.email from import_rows r where ${suppressedCondition(app, sql`${workspaceId}::int`, raw('r.email'))}`;

const suppressedRows = sql`
  select r.line, ${formulaSafe('r.email')}, 'suppressed', 'the address is suppressed and never written to' from import_suppressed r`;

/** Index: contacts_live_email. */
const findExisting = (workspaceId: number): Sql => sql`
  drop table if exists import_found;
  create temporary table import_found on commit drop as
    select r.line, c.id, c.is_archived from import_rows r
    join contacts c on c.workspace_id = ${raw(String(workspaceId))} and lower(c.email) = lower(r.email) and c.deleted_at is null;
  analyze import_found`;

const existingRows = sql`
  select r.line, ${formulaSafe('r.email')}, 'exists',
    case when f.is_archived then 'an archived contact has this address' else 'a contact has this address' end
  from import_found f join import_rows r on r.line = f.line`;

const countExisting = sql`select count(*)::int as count from import_found`;

/** Cells that are empty in the file change nothing. */
const updateExisting = (now: Date): Sql => sql`
  with updated as (
    update contacts c set name = coalesce(nullif(r.name, ''), c.name), company = coalesce(r.company, c.company),
      custom_fields = c.custom_fields || r.custom_fields, updated_at = ${now}
    from import_found f join import_rows r on r.line = f.line
    where c.id = f.id and c.deleted_at is null
      and (c.name, c.company, c.custom_fields) is distinct from
        (coalesce(nullif(r.name, ''), c.name), coalesce(r.company, c.company), c.custom_fields || r.custom_fields)
    returning 1
  ) select count(*)::int as count from updated`;

const addExisting = (listId: number, now: Date): Sql => sql`
  with added as (
    insert into list_members (list_id, contact_id, added_at) select ${listId}::int, id, ${now}::timestamptz from import_found order by id
    on conflict do nothing returning 1
  ) select count(*)::int as count from added`;

/**
 * Gives how many contacts were made. To ask about conflicts row by row costs a tenth more, so that is done only once there
 * was one: somebody made a contact since `findExisting`.
 */
async function insertRows(tx: BulkTx, caller: Caller, listId: number | null, now: Date): Promise<number> {
  await tx.query(sql`savepoint insert_rows`);
  try {
    return await insertInto(tx, caller, listId, now, sql``);
  } catch (error) {
    if (sqlState(error) !== SQLSTATE.uniqueViolation) throw error;
  }
  // Released too, so that the rows carry the number of the transaction itself: `dropInserted` knows them by it.
  await tx.query(sql`rollback to savepoint insert_rows; release savepoint insert_rows`);
  return insertInto(tx, caller, listId, now, sql`on conflict (workspace_id, lower(email)) where deleted_at is null do nothing`);
}

/** Handing the new ids on costs a fifth more, so it is done only where a list wants them. */
async function insertInto(tx: BulkTx, caller: Caller, listId: number | null, now: Date, onConflict: Sql): Promise<number> {
  const insert = sql`
    insert into contacts (workspace_id, name, email, company, custom_fields, created_by, created_at, updated_at)
    select ${caller.workspaceId}::int, name, email, company, custom_fields, ${caller.userId}::int, ${now}::timestamptz, ${now}::timestamptz
    from import_rows ${onConflict}`;
  const statement =
    listId === null
      ? insert
      : sql`with made as (${insert} returning id)
          insert into list_members (list_id, contact_id, added_at) select ${listId}::int, id, ${now}::timestamptz from made`;
  return (await tx.client.query(statement.text, statement.values)).rowCount ?? 0;
}

const writePending = sql`
  select gin_clean_pending_list(i.indexrelid) from pg_index i join pg_class c on c.oid = i.indexrelid join pg_am m on m.oid = c.relam
  where i.indrelid = 'contacts'::regclass and m.amname = 'gin'`;

const dropInserted = (workspaceId: number): Sql => sql`
  delete from import_rows r using contacts c
  where c.workspace_id = ${workspaceId} and lower(c.email) = lower(r.email) and c.deleted_at is null
    and c.xmin = pg_current_xact_id()::xid`;

/** As `formulaSafe` of the export, for an address that was checked: it holds no white space. */
function formulaSafe(column: string): Sql {
  return raw(`case when ${column} ~ '^''*[-=+@＝＋－＠]' then '''' || ${column} else ${column} end`);
}

/** Writes the rows of a statement without parameters, which COPY can't have, into the report. Gives how many. */
async function reportRows(tx: BulkTx, statement: Sql, report: ImportReport): Promise<number> {
  if (statement.values.length > 0) throw new Error('COPY takes no parameters');
  const rows = tx.client.query(copyTo(`copy (${statement.text}) to stdout (format csv)`));
  await report.writeRows(rows);
  return rows.rowCount ?? 0;
}

async function countOf(tx: BulkTx, statement: Sql): Promise<number> {
  const [row] = await tx.query<{ count: number }>(statement);
  return row?.count ?? 0;
}
