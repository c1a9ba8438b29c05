import type { App } from '../app.ts';
import { HOUR } from '../core/clock.ts';
import type { Deadline } from '../core/deadline.ts';
import type { Placed, Room } from '../core/room.ts';
import { WORKER } from '../core/worker.ts';
import { inTurns } from '../db/in-turns.ts';
import { prepared, type Queryable, type Sql, sql } from '../db/statement.ts';
import { MAX_POLL_CRASHES } from './ended-workers.ts';

/** By the database's clock, which all daemons share. Longer than any poll may take (`MAX_POLL_TIME`). */
const LEASE_SECONDS = 300;
/** Maximum time between two polls, in milliseconds, both by the settings and after failures. */
export const MAX_WAIT = HOUR;

/** A running poll. */
export interface Poll {
  /** Folders that are polled in addition to the usual ones. */
  folders: readonly string[];
  accountId: number;
  workspaceId: number;
  /** Start of the poll. */
  since: Date;
  /** Host of the IMAP server. */
  server: string;
  /** Changes with the account's servers and credentials. */
  credentials: string;
  /** Set when the poll begins: its connections are closed then. */
  deadline?: Deadline;
}

/** A poll that this worker has claimed. */
export interface ClaimedPoll extends Poll, Placed {
  /** The database's time at its start. */
  databaseTime: Date;
}

/**
 * Condition: the mailbox of account `r` is due for a poll, even if a worker is polling it. If the time is further ahead than any poll sets,
 * a wrong clock has set it.
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

/**
 * Claims the account's mailbox for this worker; null if another worker is polling it, if a daemon crashed while polling it, or if the
 * account no longer exists.
 */
export async function takePollLease(app: App, accountId: number): Promise<ClaimedPoll | null> {
  const [row] = await app.db.query<LeasedRow>(sql`
    update accounts set poll_worker = ${WORKER}, poll_lease_until = now() + make_interval(secs => ${LEASE_SECONDS})
    where id = ${accountId} and poll_crashes = 0 and (poll_lease_until is null or poll_lease_until < now()) returning ${leased}`);
  return row === undefined ? null : pollOf(app, row);
}

/**
 * Claims mailboxes that are due, that no worker is polling, and for which there is room. Index: accounts_poll.
 * @param isDue a condition on the account `r`
 */
export const takePollLeases = (app: App, isDue: Sql, room: Room): Promise<ClaimedPoll[]> =>
  claim(app, sql`${isDue} and r.poll_crashes = 0`, room);

/** Condition: the mailbox of account `r` was being polled when a daemon crashed, and is still read. */
const isSuspect: Sql = sql`r.poll_crashes between 1 and ${MAX_POLL_CRASHES - 1}`;

/**
 * Claims one of the mailboxes that were being polled when a daemon crashed, unless another of them is being polled: if the daemon crashes
 * again, this mailbox is known to be the cause. Index: accounts_crashed.
 * @param isDue a condition on the account `r`
 */
export async function takeSuspectLease(app: App, isDue: Sql, room: Room): Promise<ClaimedPoll[]> {
  const suspects = await app.db.query<{ is_polled: boolean }>(
    prepared('suspects', sql`select r.poll_worker is not null as is_polled from accounts r where ${isSuspect} and r.deleted_at is null`),
  );
  if (suspects.length === 0 || suspects.some(({ is_polled: isPolled }) => isPolled)) return [];
  return claim(app, sql`${isDue} and ${isSuspect}`, { ...room, most: Math.min(room.most, 1) });
}

async function claim(app: App, isDue: Sql, room: Room): Promise<ClaimedPoll[]> {
  const isFree = sql`(r.poll_lease_until is null or r.poll_lease_until < now())`;
  const due = sql`select r.id, r.workspace_id, r.next_poll_at as due_at from accounts r where ${isDue} and ${isFree}`;
  const rows = await app.db.query<LeasedRow>(sql`
    update accounts set poll_worker = ${WORKER}, poll_lease_until = now() + make_interval(secs => ${LEASE_SECONDS})
    where id in (
      select r.id from accounts r where r.id in (select id from (${inTurns(due, room)}) placed) and ${isFree}
      for no key update skip locked)
    returning ${leased}`);
  return rows.map((row) => pollOf(app, row));
}

function pollOf(
  app: App,
  { id: accountId, workspace_id: workspaceId, folders, server, credentials, now: databaseTime }: LeasedRow,
): ClaimedPoll {
  return {
    id: accountId,
    accountId,
    workspaceId,
    folders: folderNames(folders),
    server,
    credentials,
    since: app.clock.now(),
    databaseTime,
  };
}

/** Reads the folders that an account names in addition to the usual ones. Index: accounts_pkey. */
export async function namedFolders(db: Queryable, accountId: number): Promise<string[]> {
  const [row] = await db.query<{ folders: string | null }>(sql`select folders from accounts where id = ${accountId}`);
  return folderNames(row?.folders ?? null);
}

/** Parses folder names separated by commas. A name with a comma is in double quotes. */
function folderNames(text: string | null): string[] {
  const names = (text ?? '').matchAll(/\s*(?:"([^"]*)"|([^,]*))\s*(?:,|$)/g);
  return [...names].flatMap(([, quoted, plain = '']) => (quoted ?? plain).trim() || []);
}

/** Renews the lease while the mailbox is polled. Returns false if another worker has it. */
export async function keepPollLease(app: App, accountId: number): Promise<boolean> {
  const rows = await app.db.query(sql`
    update accounts set poll_lease_until = now() + make_interval(secs => ${LEASE_SECONDS})
    where id = ${accountId} and poll_worker = ${WORKER} returning id`);
  return rows.length > 0;
}

/** Releases the mailbox to other workers, because this one is stopping. Returns null, because the time of the next poll is not set. */
export async function releasePoll(app: App, accountId: number): Promise<null> {
  await app.db.query(
    sql`update accounts set poll_worker = null, poll_lease_until = null where id = ${accountId} and poll_worker = ${WORKER}`,
  );
  return null;
}

/** True if the mailbox was polled completely at or after `since`. A time after `now` comes from a wrong clock, and proves nothing. */
export async function wasPolledSince(db: Queryable, accountId: number, since: Date, now: Date): Promise<boolean> {
  const rows = await db.query(sql`select 1 from accounts where id = ${accountId} and last_polled_at between ${since} and ${now}`);
  return rows.length > 0;
}
