import type { Pool, PoolClient } from 'pg';

/**
 * Loads rows as fast as the server can: in one transaction without triggers and foreign keys, with indexes rebuilt at the end,
 * then vacuumed and analysed like a table at rest. The callback must do what triggers would do: check references and set counters.
 * Requires the right to set session_replication_role, which the role of the embedded server has.
 */
export async function bulkLoad(pool: Pool, tables: readonly string[], work: (client: PoolClient) => Promise<void>): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query(`set local session_replication_role = replica; set local statement_timeout = 0;
      set local synchronous_commit = off; set local maintenance_work_mem = '512MB'; set local work_mem = '256MB'`);
    const { rows: indexes } = await client.query<{ name: string; definition: string }>(
      `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition from pg_index i
       where i.indrelid = any($1::text[]::regclass[]) and not exists (select from pg_constraint c where c.conindid = i.indexrelid)`,
      [tables],
    );
    for (const { name } of indexes) await client.query(`drop index ${name}`);
    await work(client);
    for (const { definition } of indexes) await client.query(definition);
    await client.query('commit');
    await client.query('set statement_timeout = 0');
    await client.query(`vacuum (analyze, parallel 2) ${tables.join(', ')}`);
  } finally {
    // Closed, not released: its settings and an open transaction end with it.
    client.release(true);
  }
}
