import { to as copyTo } from 'pg-copy-streams';
import { type Caller, visible } from '../../access/index.ts';
import type { App } from '../../app.ts';
import { SQLSTATE, sqlState } from '../../core/errors.ts';
import type { BulkTx } from '../../db/bulk.ts';
import { raw, type Sql, sql } from '../../db/statement.ts';
import { discardPlans } from '../../db/statistics.ts';
import { csvRecords } from '../../files/csv-records.ts';
import { suppressedAmong } from '../suppressions.ts';
import type { ImportReport, Outcome } from './report.ts';
import { countRisky, type RiskyAddresses } from './risky.ts';

/** A from clause: the emails `o` that campaigns sent to an address of a workspace. */
export type EmailsToAddress = (workspaceId: Sql, address: Sql) => Sql;

export interface MergeOptions {
  /** List to which every contact of the file is added, new or not. */
  listId: number | null;
  /** True if values of the file replace those of existing contacts. */
  update: boolean;
  emailsToAddress: EmailsToAddress | undefined;
}

/** Counts of the valid rows by outcome. */
export interface Merged {
  imported: number;
  updated: number;
  /** Rows with the address of an existing contact of the workspace, archived or not, including contacts that the caller can't see. */
  existing: number;
  /** Rows with an address that occurs earlier in the file. */
  duplicates: number;
  /** Rows with a suppressed address; they are also included in the other counts. */
  suppressed: number;
  /** Imported rows with the address of a former contact who was emailed by campaigns; these campaigns do not email it again. */
  emailed_before: number;
  added_to_list: number;
  /** Distinct addresses of the file with a risk, whether or not their rows were imported. */
  risky_addresses: RiskyAddresses[];
}

/**
 * Creates contacts from the staged rows in a single statement, so that counters are locked only at the end. Creates no second contact for
 * an address that a contact of the workspace has, ignoring case, archived or not.
 */
export async function mergeRows(tx: BulkTx, app: App, caller: Caller, options: MergeOptions, report: ImportReport): Promise<Merged> {
  const now = app.clock.now();
  const merged: Merged = {
    ...{ imported: 0, updated: 0, existing: 0, duplicates: 0, suppressed: 0, emailed_before: 0, added_to_list: 0 },
    risky_addresses: [],
  };
  // A longer pending list of the GIN index makes each insert cheaper.
  await tx.query(sql`set local work_mem = '64MB'; set local gin_pending_list_limit = '32MB'`);
  await discardPlans(tx);
  merged.duplicates = await reportRows(tx, dropDuplicates, report);
  merged.risky_addresses = await countRisky(tx);
  await tx.query(findSuppressed(app, caller.workspaceId));
  merged.suppressed = await reportRows(tx, suppressedRows, report);
  for (let round = 1; ; round++) {
    await findExisting(tx, caller);
    merged.existing += await reportRows(tx, hiddenRows, report);
    if (options.update) merged.updated += await countOf(tx, updateExisting(now));
    if (options.listId !== null) merged.added_to_list += await countOf(tx, addExisting(options.listId, now));
    merged.existing += options.update ? await countOf(tx, countExisting) : await reportRows(tx, existingRows, report);
    await tx.query(sql`delete from import_rows r using import_found f where r.line = f.line`);
    if (options.emailsToAddress !== undefined && round === 1)
      merged.emailed_before = await reportRows(tx, emailedRows(caller.workspaceId, options.emailsToAddress), report);
    const wanted = await countOf(tx, sql`select count(*)::int as count from import_rows`);
    const inserted = await insertRows(tx, caller, options.listId, now);
    merged.imported += inserted;
    if (options.listId !== null) merged.added_to_list += inserted;
    if (inserted === wanted) break;
    // Another transaction has created a contact with one of these addresses; the next round finds it.
    await tx.query(dropInserted(caller.workspaceId));
  }
  // Flushes the pending list: searches scan it linearly.
  await tx.query(flushPending);
  return merged;
}

const dropDuplicates = sql`
  with firsts as (select address_key(email) as address, min(line) as line from import_rows group by 1 having count(*) > 1)
  delete from import_rows r using firsts f where address_key(r.email) = f.address and r.line <> f.line
  returning r.line, r.email, 'duplicate', 'the same address as in line ' || f.line`;

const findSuppressed = (app: App, workspaceId: number): Sql => sql`
  create temporary table import_suppressed on commit drop as
    select r.line, r.email from import_rows r where ${suppressedAmong(app, sql`${workspaceId}::int`, raw('import_rows'))}`;

const suppressedRows = sql`
  select r.line, r.email, 'suppressed', 'the address is suppressed and never emailed' from import_suppressed r`;

const emailedRows = (workspaceId: number, emailsToAddress: EmailsToAddress): Sql => sql`
  select r.line, r.email, 'emailed_before', 'emailed before as another contact; not emailed again by ' || e.campaigns
  from import_rows r cross join lateral (
    select case when count(*) = 1 then 'campaign ' else 'campaigns ' end || string_agg(o.campaign_id::text, ', ') as campaigns
    from (select distinct o.campaign_id ${emailsToAddress(raw(String(workspaceId)), raw('r.email'))} order by 1) o
  ) e where e.campaigns is not null`;

/**
 * Stores in `import_found` the rows whose address an existing contact has, with a flag that tells if the caller may see that contact. A
 * hidden contact is neither changed nor added to a list, and nothing about it is revealed. Index: contacts_live_email.
 */
async function findExisting(tx: BulkTx, caller: Caller): Promise<void> {
  await tx.query(sql`drop table if exists import_found`);
  await tx.query(sql`
    create temporary table import_found on commit drop as
      select r.line, c.id, c.is_archived, (${visible(caller, 'contacts', 'c')}) as is_visible from import_rows r
      join contacts c on c.workspace_id = ${raw(String(caller.workspaceId))} and address_key(c.email) = address_key(r.email) and c.deleted_at is null`);
  await tx.query(sql`analyze import_found`);
}

const hiddenRows = sql`
  select r.line, r.email, 'exists', 'another contact, which the importer can''t see, has this address'
  from import_found f join import_rows r on r.line = f.line where not f.is_visible`;

const existingRows = sql`
  select r.line, r.email, 'exists',
    case when f.is_archived then 'an archived contact has this address' else 'a contact has this address' end
  from import_found f join import_rows r on r.line = f.line where f.is_visible`;

const countExisting = sql`select count(*)::int as count from import_found where is_visible`;

/** Updates existing contacts; empty cells change nothing. */
const updateExisting = (now: Date): Sql => sql`
  with updated as (
    update contacts c set name = coalesce(nullif(r.name, ''), c.name), company = coalesce(r.company, c.company),
      custom_fields = c.custom_fields || r.custom_fields, updated_at = ${now}
    from import_found f join import_rows r on r.line = f.line
    where c.id = f.id and f.is_visible and c.deleted_at is null
      and (c.name, c.company, c.custom_fields) is distinct from
        (coalesce(nullif(r.name, ''), c.name), coalesce(r.company, c.company), c.custom_fields || r.custom_fields)
    returning 1
  ) select count(*)::int as count from updated`;

const addExisting = (listId: number, now: Date): Sql => sql`
  with added as (
    insert into list_members (list_id, contact_id, added_at) select ${listId}::int, id, ${now}::timestamptz from import_found where is_visible order by id
    on conflict do nothing returning 1
  ) select count(*)::int as count from added`;

/**
 * Inserts the contacts and returns their number. `on conflict` takes a tenth longer, so it is used only after a unique violation, when
 * another transaction has created a contact since `findExisting`.
 */
async function insertRows(tx: BulkTx, caller: Caller, listId: number | null, now: Date): Promise<number> {
  await tx.query(sql`savepoint insert_rows`);
  try {
    return await insertInto(tx, caller, listId, now, sql``);
  } catch (error) {
    if (sqlState(error) !== SQLSTATE.uniqueViolation) throw error;
  }
  // Released too, so that the rows carry the id of the transaction itself, by which `dropInserted` recognizes them.
  await tx.query(sql`rollback to savepoint insert_rows; release savepoint insert_rows`);
  return insertInto(tx, caller, listId, now, sql`on conflict (workspace_id, address_key(email)) where deleted_at is null do nothing`);
}

/** Returning the new ids takes a fifth longer, so it is done only if a list needs them. */
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

const flushPending = sql`
  select gin_clean_pending_list(i.indexrelid) from pg_index i join pg_class c on c.oid = i.indexrelid join pg_am m on m.oid = c.relam
  where i.indrelid = 'contacts'::regclass and m.amname = 'gin'`;

const dropInserted = (workspaceId: number): Sql => sql`
  delete from import_rows r using contacts c
  where c.workspace_id = ${workspaceId} and address_key(c.email) = address_key(r.email) and c.deleted_at is null
    and c.xmin = pg_current_xact_id()::xid`;

/** Adds the rows of a statement (line, email, outcome, reason) to the report and returns their number. COPY takes no parameters. */
async function reportRows(tx: BulkTx, statement: Sql, report: ImportReport): Promise<number> {
  if (statement.values.length > 0) throw new Error('COPY takes no parameters');
  const rows = tx.client.query(copyTo(`copy (${statement.text}) to stdout (format csv)`));
  for await (const { cells } of csvRecords(rows.setEncoding('utf8'), { delimiter: ',', escapedBy: '"', headerLine: 1 })) {
    const [line, email = '', outcome, reason = ''] = cells;
    await report.addProblem({ line: Number(line), outcome: outcome as Outcome, reason }, email);
  }
  return rows.rowCount ?? 0;
}

async function countOf(tx: BulkTx, statement: Sql): Promise<number> {
  const [row] = await tx.query<{ count: number }>(statement);
  return row?.count ?? 0;
}
