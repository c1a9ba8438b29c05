import type { App } from '../app.ts';
import { WORKER } from '../core/worker.ts';
import { prepared, raw, type Sql, sql } from '../db/statement.ts';

const LEASE_SECONDS = 120;

/**
 * Claims an account for one batch, for 120 s; undefined if another worker has it. Returns how often the account has been woken so far, and
 * the database's time.
 */
export async function takeBatchLease(app: App, accountId: number): Promise<{ wakes: number; now: Date } | undefined> {
  const [lease] = await app.db.query<{ wakes: number; now: Date }>(
    prepared(
      'take-batch-lease',
      sql`
    update accounts set batch_worker = ${WORKER}, batch_lease_until = now() + make_interval(secs => ${LEASE_SECONDS})
    where id = ${accountId} and (batch_lease_until is null or batch_lease_until < now())
    returning wakes, clock_timestamp() as now`,
    ),
  );
  return lease;
}

/** Renews the lease while the batch is sent. Returns false if another worker has the account and this one must stop. */
export async function keepBatchLease(app: App, accountId: number): Promise<boolean> {
  const rows = await app.db.query(
    prepared(
      'keep-batch-lease',
      sql`
    update accounts set batch_lease_until = now() + make_interval(secs => ${LEASE_SECONDS})
    where id = ${accountId} and batch_worker = ${WORKER} returning id`,
    ),
  );
  return rows.length > 0;
}

/** Releases the account, unless another worker has it. */
export async function endBatchLease(app: App, accountId: number): Promise<void> {
  await app.db.query(
    prepared(
      'end-batch-lease',
      sql`update accounts set batch_worker = null, batch_lease_until = null where id = ${accountId} and batch_worker = ${WORKER}`,
    ),
  );
}

/** Condition: the worker in one column has a batch of the account in another. Index: accounts_pkey. */
export const hasBatch = (worker: string, accountId: string): Sql =>
  sql`exists (select from accounts a where a.id = ${raw(accountId)} and a.batch_worker = ${raw(worker)})`;
