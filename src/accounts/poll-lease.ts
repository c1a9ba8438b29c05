import type { App } from '../app.ts';
import { HOUR, SECOND } from '../core/clock.ts';
import { WORKER } from '../core/worker.ts';
import { byKey, type Queryable, type Sql, sql } from '../db/statement.ts';

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

/** A poll that this worker has claimed. */
export interface ClaimedPoll extends Poll {
  /** The database's time at its start. */
  databaseTime: Date;
}

/**
 * The mailbox of account `r` is due for a poll, possibly one that a worker is at. A time further ahead than any poll sets was set by a
 * clock that was wrong.
 */
export const isPollTime = (now: Date): Sql => sql`(r.next_poll_at is null or r.next_poll_at <= ${now}
  or r.next_poll_at > ${new Date(now.getTime() + MAX_WAIT)})`;

interface LeasedRow {
  id: number;
  workspace_id: number;
  folders: string | null;
  server: string;
  credentials: string;
  now: Date;
}

const leased = sql`id, workspace_id, folders, coalesce(imap ->> 'host', '') as server, coalesce(connected_at::text, '') as credentials, clock_timestamp() as now`;

/** Claims the account's mailbox for this worker; null if another one is polling it or the account is gone. */
export async function takePollLease(app: App, accountId: number): Promise<ClaimedPoll | null> {
  const [row] = await app.db.query<LeasedRow>(sql`
    update accounts set poll_worker = ${WORKER}, poll_lease_until = now() + make_interval(secs => ${LEASE_SECONDS})
    where id = ${accountId} and (poll_lease_until is null or poll_lease_until < now()) returning ${leased}`);
  return row === undefined ? null : pollOf(app, row);
}

/**
 * Claims mailboxes that are due and that no worker is polling, longest overdue first. Index: accounts_poll.
 * @param isDue a condition on the account `r`
 * @param limit maximum number
 */
export async function takePollLeases(app: App, isDue: Sql, limit: number): Promise<ClaimedPoll[]> {
  const rows = await app.db.query<LeasedRow>(sql`
    update accounts set poll_worker = ${WORKER}, poll_lease_until = now() + make_interval(secs => ${LEASE_SECONDS})
    where id in (
      select r.id from accounts r where ${isDue} and (r.poll_lease_until is null or r.poll_lease_until < now())
      order by r.next_poll_at nulls first limit ${limit} for no key update skip locked)
    returning ${leased}`);
  return rows.map((row) => pollOf(app, row));
}

function pollOf(
  app: App,
  { id: accountId, workspace_id: workspaceId, folders, server, credentials, now: databaseTime }: LeasedRow,
): ClaimedPoll {
  const extra = (folders ?? '').split(',').flatMap((name) => name.trim() || []);
  return { accountId, workspaceId, folders: extra, server, credentials, since: app.clock.now(), databaseTime };
}

/** Renews the lease while the mailbox is polled. Returns false if another worker has it. */
export async function keepPollLease(app: App, accountId: number): Promise<boolean> {
  const rows = await app.db.query(sql`
    update accounts set poll_lease_until = now() + make_interval(secs => ${LEASE_SECONDS})
    where id = ${accountId} and poll_worker = ${WORKER} returning id`);
  return rows.length > 0;
}

/**
 * Records complete polls as of their start: messages that arrived later may not have been read. The next one is an interval after that
 * start, when the clock was compared with the database's; it may have been set since. Returns its time for each; null if its lease was lost.
 */
export async function finishPolls(app: App, polls: readonly Poll[]): Promise<(Date | null)[]> {
  const done = await recordEnds(app, polls, ({ since }) => nextPoll(app, since));
  return Promise.all(polls.map((poll) => (done.has(poll.accountId) ? nextPoll(app, poll.since) : finishPoll(app, poll))));
}

const nextPoll = (app: App, since: Date): Date => new Date(since.getTime() + app.config.pollIntervalSeconds * SECOND);

/** Records the ends of polls of different accounts. Returns those it could: it waits for no row, so that it can't deadlock. Index: accounts_pkey. */
async function recordEnds(app: App, polls: readonly Poll[], nextOf: (poll: Poll) => Date): Promise<ReadonlySet<number>> {
  const ids = polls.map(({ accountId }) => accountId);
  const rows = await app.db.query<{ id: number }>(
    byKey(
      'end polls',
      sql`
    with free as (select id from accounts where id = any(${ids}::int[]) and poll_worker = ${WORKER} for no key update skip locked)
    update accounts a set poll_worker = null, poll_lease_until = null, poll_error = null, next_poll_at = e.next, last_polled_at = e.since
    from free, unnest(${ids}::int[], ${polls.map(({ since }) => since)}::timestamptz[], ${polls.map(nextOf)}::timestamptz[]) as e (id, since, next)
    where e.id = free.id and a.id = free.id returning a.id`,
    ),
  );
  return new Set(rows.map(({ id }) => id));
}

/** Records the end of one poll, like `finishPolls`, and waits for the row. */
async function finishPoll(app: App, { accountId, since }: Poll): Promise<Date | null> {
  const next = nextPoll(app, since);
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
