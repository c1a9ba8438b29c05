import type { App } from '../../app.ts';
import { WORKER } from '../../core/worker.ts';
import { sql } from '../../db/database.ts';

const SECONDS = 120;

/** Takes the account for one batch, unless a daemon has it; with how often the account was woken until then. */
export async function takeBatchLease(app: App, accountId: number): Promise<{ wakes: number } | undefined> {
  const [lease] = await app.db.query<{ wakes: number }>(sql`
    update accounts set batch_worker = ${WORKER}, batch_lease_until = now() + make_interval(secs => ${SECONDS})
    where id = ${accountId} and (batch_lease_until is null or batch_lease_until < now()) returning wakes`);
  return lease;
}

/** Keeps the lease while mails go out. False: another daemon has the account now, and this one must stop. */
export async function keepBatchLease(app: App, accountId: number): Promise<boolean> {
  const rows = await app.db.query(sql`
    update accounts set batch_lease_until = now() + make_interval(secs => ${SECONDS})
    where id = ${accountId} and batch_worker = ${WORKER} returning id`);
  return rows.length > 0;
}

/** Gives the account back, unless another daemon has it now. */
export async function endBatchLease(app: App, accountId: number): Promise<void> {
  await app.db.query(
    sql`update accounts set batch_worker = null, batch_lease_until = null where id = ${accountId} and batch_worker = ${WORKER}`,
  );
}
