import type { App } from '../app.ts';
import { HOUR, SECOND } from '../core/clock.ts';
import { WORKER } from '../core/worker.ts';
import { type Queryable, sql } from '../db/statement.ts';

const LEASE_SECONDS = 300;
const MAX_WAIT = HOUR;
const MAX_ERROR = 2_000;

/** A running poll. */
export interface Poll {
  /** Folders that are polled beside the usual ones. */
  folders: readonly string[];
  accountId: number;
  workspaceId: number;
  /** Start of the poll. */
  since: Date;
}

/** Claims the account's mailbox for this worker; null if another one is polling it or the account is gone. */
export async function takePollLease(app: App, accountId: number): Promise<Poll | null> {
  const [row] = await app.db.query<{ workspace_id: number; folders: string | null }>(sql`
    update accounts set poll_worker = ${WORKER}, poll_lease_until = now() + make_interval(secs => ${LEASE_SECONDS})
    where id = ${accountId} and (poll_lease_until is null or poll_lease_until < now()) returning workspace_id, folders`);
  if (row === undefined) return null;
  const folders = (row.folders ?? '').split(',').flatMap((name) => name.trim() || []);
  return { accountId, workspaceId: row.workspace_id, folders, since: app.clock.now() };
}

/** Renews the lease while the mailbox is polled. Returns false if another worker has it. */
export async function keepPollLease(app: App, accountId: number): Promise<boolean> {
  const rows = await app.db.query(sql`
    update accounts set poll_lease_until = now() + make_interval(secs => ${LEASE_SECONDS})
    where id = ${accountId} and poll_worker = ${WORKER} returning id`);
  return rows.length > 0;
}

/** Records a complete poll as of its start: messages that arrived later may not have been read. */
export async function finishPoll(app: App, { accountId, since }: Poll): Promise<void> {
  const now = app.clock.now();
  const next = new Date(now.getTime() + app.config.pollIntervalSeconds * SECOND);
  await app.db.query(sql`
    update accounts set poll_worker = null, poll_lease_until = null, poll_error = null, next_poll_at = ${next}, last_polled_at = ${since}
    where id = ${accountId} and poll_worker = ${WORKER}`);
}

/** Releases the mailbox to other workers, because this one is stopping. */
export async function releasePoll(app: App, accountId: number): Promise<void> {
  await app.db.query(
    sql`update accounts set poll_worker = null, poll_lease_until = null where id = ${accountId} and poll_worker = ${WORKER}`,
  );
}

/** Stores the error of a poll and delays the next one, the longer the last complete poll is ago, up to an hour. */
export async function postponePoll(app: App, accountId: number, error: string): Promise<void> {
  const now = app.clock.now();
  await app.db.query(sql`
    update accounts set poll_worker = null, poll_lease_until = null, poll_error = ${error.slice(0, MAX_ERROR)},
      next_poll_at = ${now}::timestamptz + least(make_interval(secs => ${MAX_WAIT / SECOND}),
        greatest(make_interval(secs => ${app.config.pollIntervalSeconds}), (${now}::timestamptz - last_polled_at) / 2))
    where id = ${accountId} and poll_worker = ${WORKER}`);
}

/** True if the mailbox was polled completely at or after `since`. */
export async function wasPolledSince(db: Queryable, accountId: number, since: Date): Promise<boolean> {
  const rows = await db.query(sql`select 1 from accounts where id = ${accountId} and last_polled_at >= ${since}`);
  return rows.length > 0;
}
