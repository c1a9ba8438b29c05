import type { App } from '../app.ts';
import { WORKER } from '../core/worker.ts';
import { type Sql, sql } from '../db/statement.ts';
import type { Tx } from '../db/transaction.ts';

const SECONDS = 120;

/** Takes the account for one batch, unless another worker has it. Returns how often the account was woken until then. */
export async function takeBatchLease(app: App, accountId: number): Promise<{ wakes: number } | undefined> {
  const [lease] = await app.db.query<{ wakes: number }>(sql`
    update accounts set batch_worker = ${WORKER}, batch_lease_until = now() + make_interval(secs => ${SECONDS})
    where id = ${accountId} and (batch_lease_until is null or batch_lease_until < now()) returning wakes`);
  return lease;
}

/** Renews the lease while the batch is sent. False when another worker has the account now and this one must stop. */
export async function keepBatchLease(app: App, accountId: number): Promise<boolean> {
  const rows = await app.db.query(sql`
    update accounts set batch_lease_until = now() + make_interval(secs => ${SECONDS})
    where id = ${accountId} and batch_worker = ${WORKER} returning id`);
  return rows.length > 0;
}

/** Gives the account back, unless another worker has it now. */
export async function endBatchLease(app: App, accountId: number): Promise<void> {
  await app.db.query(
    sql`update accounts set batch_worker = null, batch_lease_until = null where id = ${accountId} and batch_worker = ${WORKER}`,
  );
}

/** Selects the workers that hold a batch lease, as the column `worker`. */
export const batchWorkers: Sql = sql`select distinct batch_worker as worker from accounts where batch_worker is not null`;

/** Ends the batch leases of these workers, which are dead. */
export async function endBatchLeasesOf(tx: Tx, workers: readonly string[]): Promise<void> {
  await tx.query(sql`update accounts set batch_worker = null, batch_lease_until = null where batch_worker = any(${workers}::text[])`);
}
