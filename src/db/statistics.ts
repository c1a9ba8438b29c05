import type { Pool } from 'pg';
import { type Queryable, sql } from './statement.ts';

/** Rows that one call may add unnoticed; autovacuum sees to those that come one by one. */
const MIN_NEW_ROWS = 20;
/** Pages of a table, of 8 KiB each, that no plan is too bad for. */
const MIN_TABLE_PAGES = 32;

/**
 * PostgreSQL plans the checks of foreign keys once per connection and keeps to it: a connection that first wrote when
 * the tables were empty scans them whole for every row of a bulk insert, until autovacuum has looked at them. Measured
 * with 10,000 rows: 10 s, and 0.6 s with new plans. To be run before a bulk insert, in its transaction.
 */
export async function forgetPlans(tx: Queryable): Promise<void> {
  await tx.query(sql`discard plans`);
}

/**
 * Has PostgreSQL look at tables that have more than doubled since it last did, which makes every connection plan again. It plans what is
 * prepared once a connection: while a table has no statistics, any index that fits a condition is as good to it as the right one, and it
 * then reads the whole of it for every email until autovacuum has been there, a minute or two later. To be run after the commit, hence on the
 * pool. @param added rows that the transaction added
 */
export async function refreshStatistics(pool: Pool, tables: readonly string[], added: number): Promise<void> {
  if (added < MIN_NEW_ROWS) return;
  const { rows } = await pool.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class
     where oid = any($1::text[]::regclass[]) and pg_relation_size(oid) / current_setting('block_size')::int > 2 * greatest(relpages, $2::int)`,
    [tables, MIN_TABLE_PAGES],
  );
  for (const { name } of rows) await pool.query(`analyze (skip_locked) ${name}`);
}
