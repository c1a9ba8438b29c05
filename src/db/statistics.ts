import type { Pool } from 'pg';
import { type Queryable, sql } from './statement.ts';

/** Below this no plan is bad enough to matter. */
const BULK = 1_000;

/**
 * PostgreSQL plans the checks of foreign keys once per connection and keeps to it: a connection that first wrote when
 * the tables were empty scans them whole for every row of a bulk insert, until autovacuum has looked at them. Measured
 * with 10,000 rows: 10 s, and 0.6 s with new plans. To be run before a bulk insert, in its transaction.
 */
export async function forgetPlans(tx: Queryable): Promise<void> {
  await tx.query(sql`discard plans`);
}

/**
 * Has PostgreSQL look at tables that a bulk insert more than doubled, which makes every connection plan again. To be run
 * after the commit, hence on the pool.
 */
export async function refreshStatistics(pool: Pool, tables: readonly string[], added: number): Promise<void> {
  if (added < BULK) return;
  const { rows } = await pool.query<{ name: string }>(
    'select oid::regclass::text as name from pg_class where oid = any($1::text[]::regclass[]) and reltuples < $2',
    [tables, added],
  );
  for (const { name } of rows) await pool.query(`analyze ${name}`);
}
