import { type Sql, sql } from '../db/statement.ts';
import type { Tx } from '../db/transaction.ts';

/** Selects the workers that send, poll or watch an account, as the column `worker`. */
export const accountWorkers: Sql = sql`
  select batch_worker as worker from accounts where batch_worker is not null
  union select poll_worker from accounts where poll_worker is not null
  union select idle_worker from accounts where idle_worker is not null`;

/** Releases the accounts that dead workers were sending, polling or watching. */
export async function endAccountLeasesOf(tx: Tx, workers: readonly string[]): Promise<void> {
  await tx.query(sql`update accounts set batch_worker = null, batch_lease_until = null where batch_worker = any(${workers}::text[])`);
  await tx.query(sql`update accounts set poll_worker = null, poll_lease_until = null where poll_worker = any(${workers}::text[])`);
  await tx.query(sql`update accounts set idle_worker = null, idle_lease_until = null where idle_worker = any(${workers}::text[])`);
}
