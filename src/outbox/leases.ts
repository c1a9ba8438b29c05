import { type Sql, sql } from '../db/statement.ts';
import type { Tx } from '../db/transaction.ts';
import { isInFlight } from './states.ts';

/** Selects the workers that have emails in flight, as the column `worker`. */
export const emailWorkers: Sql = sql`select distinct o.worker from outbox o where ${isInFlight('o')} and o.worker is not null`;

/** Expires the leases of dead workers. */
export async function endEmailLeasesOf(tx: Tx, workers: readonly string[]): Promise<void> {
  await tx.query(sql`update outbox o set lease_until = '-infinity' where ${isInFlight('o')} and o.worker = any(${workers}::text[])`);
}
