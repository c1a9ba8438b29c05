import type { App } from '../app.ts';
import { WORKER } from '../core/worker.ts';
import { type Sql, sql } from '../db/statement.ts';

/** Several heartbeats long, so that a slow database does not end IMAP connections. */
const LEASE_SECONDS = 90;

/**
 * Claims mailboxes that no worker watches by IMAP IDLE. Accounts that sent last come first, because replies are most likely
 * there. Returns the account ids. Index: accounts_poll.
 * @param isWanted a condition on the account `r`
 * @param limit maximum number of mailboxes
 * @param except accounts to skip
 */
export async function claimWatches(app: App, isWanted: Sql, limit: number, except: readonly number[]): Promise<number[]> {
  const rows = await app.db.query<{ id: number }>(sql`
    update accounts set idle_worker = ${WORKER}, idle_lease_until = now() + make_interval(secs => ${LEASE_SECONDS})
    where id in (
      select r.id from accounts r
      where ${isWanted} and (r.idle_lease_until is null or r.idle_lease_until < now())
        and not r.id = any(${except}::int[])
      order by r.last_batch_at desc nulls last, r.id limit ${limit} for update skip locked)
    returning id`);
  return rows.map(({ id }) => id);
}

/**
 * Renews the leases of mailboxes that are still claimed by this worker and wanted. Returns their account ids.
 * @param isWanted a condition on the account `r`
 */
export async function keepWatches(app: App, isWanted: Sql, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return [];
  const rows = await app.db.query<{ id: number }>(sql`
    update accounts r set idle_lease_until = now() + make_interval(secs => ${LEASE_SECONDS})
    where r.id = any(${ids}::int[]) and r.idle_worker = ${WORKER} and ${isWanted} returning r.id`);
  return rows.map(({ id }) => id);
}

/** Releases the given mailboxes, if this worker has claimed them. */
export async function releaseWatches(app: App, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await app.db.query(sql`
    update accounts set idle_worker = null, idle_lease_until = null where id = any(${ids}::int[]) and idle_worker = ${WORKER}`);
}
