import type { App } from '../app.ts';
import { WORKER } from '../core/worker.ts';
import { sql } from '../db/database.ts';
import { isWorthReading } from './poll.ts';

/** Longer than a few beats, so that a slow database costs no connection. */
const LEASE_SECONDS = 90;

/**
 * Takes mailboxes that no daemon watches, those that sent mail last first: that is where answers arrive. Returns their
 * accounts, at most `limit`. Index: accounts_poll.
 */
export async function claimWatches(app: App, limit: number, except: readonly number[]): Promise<number[]> {
  const rows = await app.db.query<{ id: number }>(sql`
    update accounts set idle_worker = ${WORKER}, idle_lease_until = now() + make_interval(secs => ${LEASE_SECONDS})
    where id in (
      select r.id from accounts r
      where ${isWorthReading(app.clock.now())} and (r.idle_lease_until is null or r.idle_lease_until < now())
        and not r.id = any(${except}::int[])
      order by r.last_batch_at desc nulls last, r.id limit ${limit} for update skip locked)
    returning id`);
  return rows.map(({ id }) => id);
}

/** Which of the mailboxes are still ours to watch, for another while: not those of which nothing is expected any more. */
export async function keepWatches(app: App, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return [];
  const rows = await app.db.query<{ id: number }>(sql`
    update accounts r set idle_lease_until = now() + make_interval(secs => ${LEASE_SECONDS})
    where r.id = any(${ids}::int[]) and r.idle_worker = ${WORKER} and ${isWorthReading(app.clock.now())} returning r.id`);
  return rows.map(({ id }) => id);
}

export async function releaseWatches(app: App, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await app.db.query(sql`
    update accounts set idle_worker = null, idle_lease_until = null where id = any(${ids}::int[]) and idle_worker = ${WORKER}`);
}
