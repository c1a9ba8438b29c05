import type { App } from '../app.ts';
import { HOUR, SECOND } from '../core/clock.ts';
import { WORKER } from '../core/worker.ts';
import { type Queryable, type Sql, sql } from '../db/statement.ts';

const LEASE_SECONDS = 300;
/** Longest time between two polls, in milliseconds: that of the setting, and after failures. */
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
  /** Host of the IMAP server. */
  server: string;
  /** Changes with the account's servers and credentials. */
  credentials: string;
}

/**
 * The mailbox of account `r` is due for a poll, possibly one that a worker is at. A time further ahead than any poll sets was set by a
 * clock that was wrong.
 */
export const isPollTime = (now: Date): Sql => sql`(r.next_poll_at is null or r.next_poll_at <= ${now}
  or r.next_poll_at > ${new Date(now.getTime() + MAX_WAIT)})`;

interface LeasedRow {
  workspace_id: number;
  folders: string | null;
  server: string;
  credentials: string;
  now: Date;
}

/** Claims the account's mailbox for this worker; null if another one is polling it or the account is gone. Brings the database's time along. */
export async function takePollLease(app: App, accountId: number): Promise<(Poll & { databaseTime: Date }) | null> {
  const [row] = await app.db.query<LeasedRow>(sql`
    update accounts set poll_worker = ${WORKER}, poll_lease_until = now() + make_interval(secs => ${LEASE_SECONDS})
    where id = ${accountId} and (poll_lease_until is null or poll_lease_until < now())
    returning workspace_id, folders, coalesce(imap ->> 'host', '') as server, coalesce(connected_at::text, '') as credentials,
      clock_timestamp() as now`);
  if (row === undefined) return null;
  const folders = (row.folders ?? '').split(',').flatMap((name) => name.trim() || []);
  const { workspace_id: workspaceId, server, credentials, now: databaseTime } = row;
  return { accountId, workspaceId, folders, server, credentials, since: app.clock.now(), databaseTime };
}

/** Renews the lease while the mailbox is polled. Returns false if another worker has it. */
export async function keepPollLease(app: App, accountId: number): Promise<boolean> {
  const rows = await app.db.query(sql`
    update accounts set poll_lease_until = now() + make_interval(secs => ${LEASE_SECONDS})
    where id = ${accountId} and poll_worker = ${WORKER} returning id`);
  return rows.length > 0;
}

/**
 * Records a complete poll as of its start: messages that arrived later may not have been read. The next one is an interval after that start,
 * when the clock was compared with the database's; it may have been set since. Returns its time; null if the lease was lost.
 */
export async function finishPoll(app: App, { accountId, since }: Poll): Promise<Date | null> {
  const next = new Date(since.getTime() + app.config.pollIntervalSeconds * SECOND);
  const rows = await app.db.query(sql`
    update accounts set poll_worker = null, poll_lease_until = null, poll_error = null, next_poll_at = ${next}, last_polled_at = ${since}
    where id = ${accountId} and poll_worker = ${WORKER} returning id`);
  return rows.length > 0 ? next : null;
}

/** Releases the mailbox to other workers, because this one is stopping. Returns null: nothing sets the time of the next poll. */
export async function releasePoll(app: App, accountId: number): Promise<null> {
  await app.db.query(
    sql`update accounts set poll_worker = null, poll_lease_until = null where id = ${accountId} and poll_worker = ${WORKER}`,
  );
  return null;
}

/** Stores the error of a poll and delays the next one, the longer the last complete poll is ago, up to an hour. */
export async function postponePoll(app: App, { accountId, since }: Poll, error: string): Promise<void> {
  await app.db.query(sql`
    update accounts set poll_worker = null, poll_lease_until = null, poll_error = ${error.slice(0, MAX_ERROR)},
      next_poll_at = ${since}::timestamptz + least(make_interval(secs => ${MAX_WAIT / SECOND}),
        greatest(make_interval(secs => ${app.config.pollIntervalSeconds}), (${since}::timestamptz - last_polled_at) / 2))
    where id = ${accountId} and poll_worker = ${WORKER}`);
}

/** True if the mailbox was polled completely at or after `since`. A time after `now` is that of a clock that was wrong, and proves nothing. */
export async function wasPolledSince(db: Queryable, accountId: number, since: Date, now: Date): Promise<boolean> {
  const rows = await db.query(sql`select 1 from accounts where id = ${accountId} and last_polled_at between ${since} and ${now}`);
  return rows.length > 0;
}
