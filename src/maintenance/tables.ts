import type { BulkTx } from '../db/bulk.ts';
import { type Queryable, raw, sql } from '../db/statement.ts';

/** A table that belongs in a backup. */
export interface Table {
  name: string;
  columns: string[];
  /** Size in disk pages, for progress only. */
  pages: number;
}

/**
 * Tables that are rebuilt instead: the list of migrations, the scheduler's jobs, which a start derives from the other tables, and the
 * running daemons.
 */
const NOT_STORED = ['mikro_orm_migrations', 'agenda_jobs', 'daemons'];

/** Lists every table that migrations have created, by name, without generated columns. */
export function storedTables(db: Queryable): Promise<Table[]> {
  return db.query<Table>(sql`
    select c.relname as name, greatest(c.relpages, 1) as pages,
      array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and not c.relname = any(${NOT_STORED}::text[])
    group by 1, 2 order by 1`);
}

/** A column of a table, and its type as `information_schema` names it. */
export interface Column {
  table: string;
  column: string;
  type: string;
}

/** Lists the columns of all tables that contain text, JSON or lists of texts. */
export const textColumns = (db: Queryable): Promise<Column[]> =>
  db.query<Column>(sql`
    select c.table_name as table, c.column_name as column, c.data_type as type from information_schema.columns c
    join information_schema.tables t on t.table_name = c.table_name and t.table_schema = c.table_schema and t.table_type = 'BASE TABLE'
    where c.table_schema = 'public' and (c.data_type in ('text', 'jsonb', 'json', 'character varying') or c.udt_name = '_text') order by 1, 2`);

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Returns the table and its columns in the form that COPY expects. */
export const copyTarget = ({ name, columns }: Pick<Table, 'name' | 'columns'>): string =>
  `${quoted(name)} (${columns.map(quoted).join(', ')})`;

/** Reads the last value of each sequence; null for one that was never used. */
export async function sequenceState(tx: BulkTx): Promise<Record<string, number | null>> {
  const rows = await tx.query<{ name: string; last: number | null }>(sql`
    select sequencename as name, last_value as last from pg_sequences where schemaname = 'public' and sequencename not like 'mikro_orm%'
    order by 1`);
  return Object.fromEntries(rows.map(({ name, last }) => [name, last]));
}

/**
 * Runs `load` with foreign keys and secondary indexes dropped and triggers disabled, then restores them: rows may come in any
 * order, counters are loaded rather than counted again, and each index is built once. Recreating the foreign keys checks
 * every row.
 */
export async function withoutConstraints(tx: BulkTx, load: () => Promise<void>): Promise<void> {
  const tables = (await storedTables(tx)).map(({ name }) => quoted(name));
  const foreignKeys = await tx.query<{ on: string; name: string; definition: string }>(sql`
    select conrelid::regclass::text as on, conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
    where contype = 'f' and connamespace = 'public'::regnamespace order by 1, 2`);
  const indexes = await tx.query<{ name: string; definition: string }>(sql`
    select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition from pg_index i
    join pg_class c on c.oid = i.indrelid and c.relnamespace = 'public'::regnamespace and not c.relname = any(${NOT_STORED}::text[])
    where not exists (select 1 from pg_constraint k where k.conindid = i.indexrelid) order by 1`);
  const run = (statement: string) => tx.query(raw(statement));
  for (const { on, name } of foreignKeys) await run(`alter table ${on} drop constraint ${quoted(name)}`);
  for (const { name } of indexes) await run(`drop index ${name}`);
  for (const table of tables) await run(`alter table ${table} disable trigger user`);
  await load();
  for (const table of tables) await run(`alter table ${table} enable trigger user`);
  for (const { definition } of indexes) await run(definition);
  for (const { on, name, definition } of foreignKeys) await run(`alter table ${on} add constraint ${quoted(name)} ${definition}`);
}
