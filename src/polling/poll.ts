import type { ImapFlow } from 'imapflow';
import { openMailbox, TokenRefused } from '../accounts/index.ts';
import type { App } from '../app.ts';
import { disconnectAccount } from '../campaigns/index.ts';
import { DAY, HOUR, SECOND } from '../clock.ts';
import { type Sql, sql } from '../db.ts';
import { messageOf, sqlState } from '../errors.ts';
import { WORKER } from '../worker.ts';
import { applyMessage, type Found, passBy } from './apply.ts';
import { classifyRaw } from './classify/index.ts';
import { loadCursor, saveCursor } from './cursor.ts';
import { fetchMessages, foldersToPoll, openFolder, uidsAfter, uidsSince } from './mailbox.ts';
import { matchMessage } from './match.ts';

export interface PollResult {
  /** Messages that were new to us. */
  read: number;
  /** Of those, the ones that answer or return a mail of ours. */
  matched: number;
}

const LEASE_SECONDS = 300;
/** How far back a folder is read the first time, and again when its UIDs have changed their meaning. */
const LOOK_BACK = 14 * DAY;
const MAX_WAIT = HOUR;
const MAX_ERROR = 2_000;
/** Mailboxes are read so many days beyond the last mail or change: answers come late. */
const DAYS_AFTER = 90;

/** Which accounts `r` should have had their mailbox read by now, whether or not somebody is reading it. */
export function pollsAwaited(now: Date): Sql {
  const lately = sql`${now}::timestamptz - make_interval(days => ${DAYS_AFTER})`;
  return sql`r.imap is not null and r.deleted_at is null and not r.is_archived and r.status <> 'disconnected'
    and (r.next_poll_at is null or r.next_poll_at <= ${now})
    and (r.last_batch_at > ${lately} or exists (
      select 1 from campaigns c join accounts a on a.id = c.account_id
      where c.workspace_id = r.workspace_id and c.deleted_at is null and lower(coalesce(c.reply_to, a.email)) = lower(r.email)
        and (c.status = 'active' or (c.status <> 'draft' and c.updated_at > ${lately}))))`;
}

/**
 * Accounts whose mailbox is due to be read: they get the replies of a campaign that runs or ran lately, or sent mail
 * lately, whose bounces come back to them. Indexes: accounts_poll, campaigns_page.
 */
export async function duePolls(app: App, limit: number): Promise<number[]> {
  const rows = await app.db.query<{ id: number }>(sql`
    select r.id from accounts r
    where ${pollsAwaited(app.clock.now())} and (r.poll_lease_until is null or r.poll_lease_until < now())
    order by r.next_poll_at nulls first limit ${limit}`);
  return rows.map((row) => row.id);
}

/**
 * Reads what is new in an account's mailbox. One daemon reads an account at a time. What goes wrong is noted with the
 * account and tried again, later each time; it never throws for what a server or a message does. Null: it was not read.
 */
export async function pollAccount(app: App, accountId: number, signal?: AbortSignal): Promise<PollResult | null> {
  if (!(await takeLease(app, accountId))) return null;
  try {
    const result = await readMailbox(app, accountId, signal);
    const isWhole = signal?.aborted !== true;
    await (isWhole ? finish(app, accountId) : putBack(app, accountId));
    return isWhole ? result : null;
  } catch (error) {
    app.log.warn({ account: accountId, reason: messageOf(error) }, 'mailbox could not be read');
    if (error instanceof TokenRefused) await disconnectAccount(app, accountId, error.message);
    await postpone(app, accountId, messageOf(error));
    return null;
  }
}

/** Reads those mailboxes that were not read within the poll interval. Returns the accounts that could not be read. */
export async function ensurePolled(app: App, accountIds: readonly number[]): Promise<number[]> {
  const unread: number[] = [];
  for (const id of accountIds) {
    if (await wasReadLately(app, id)) continue;
    if ((await pollAccount(app, id)) === null && !(await wasReadLately(app, id))) unread.push(id);
  }
  return unread;
}

async function wasReadLately(app: App, accountId: number): Promise<boolean> {
  const since = new Date(app.clock.now().getTime() - app.config.pollIntervalSeconds * SECOND);
  const rows = await app.db.query(sql`select 1 from accounts where id = ${accountId} and last_polled_at >= ${since}`);
  return rows.length > 0;
}

async function takeLease(app: App, accountId: number): Promise<boolean> {
  const rows = await app.db.query(sql`
    update accounts set poll_worker = ${WORKER}, poll_lease_until = now() + make_interval(secs => ${LEASE_SECONDS})
    where id = ${accountId} and (poll_lease_until is null or poll_lease_until < now()) returning id`);
  return rows.length > 0;
}

/** False: another daemon reads this mailbox now. */
async function keepLease(app: App, accountId: number): Promise<boolean> {
  const rows = await app.db.query(sql`
    update accounts set poll_lease_until = now() + make_interval(secs => ${LEASE_SECONDS})
    where id = ${accountId} and poll_worker = ${WORKER} returning id`);
  return rows.length > 0;
}

async function finish(app: App, accountId: number): Promise<void> {
  const now = app.clock.now();
  const next = new Date(now.getTime() + app.config.pollIntervalSeconds * SECOND);
  await app.db.query(sql`
    update accounts set poll_worker = null, poll_lease_until = null, poll_error = null, next_poll_at = ${next}, last_polled_at = ${now}
    where id = ${accountId} and poll_worker = ${WORKER}`);
}

/** For whichever daemon goes on: this one is being stopped. */
async function putBack(app: App, accountId: number): Promise<void> {
  await app.db.query(
    sql`update accounts set poll_worker = null, poll_lease_until = null where id = ${accountId} and poll_worker = ${WORKER}`,
  );
}

/** The wait grows with the time since the mailbox was last read, up to an hour. */
async function postpone(app: App, accountId: number, error: string): Promise<void> {
  const now = app.clock.now();
  await app.db.query(sql`
    update accounts set poll_worker = null, poll_lease_until = null, poll_error = ${error.slice(0, MAX_ERROR)},
      next_poll_at = ${now}::timestamptz + least(make_interval(secs => ${MAX_WAIT / SECOND}),
        greatest(make_interval(secs => ${app.config.pollIntervalSeconds}), (${now}::timestamptz - last_polled_at) / 2))
    where id = ${accountId} and poll_worker = ${WORKER}`);
}

interface Mailbox {
  accountId: number;
  workspaceId: number;
}

async function readMailbox(app: App, accountId: number, signal: AbortSignal | undefined): Promise<PollResult> {
  const [account] = await app.db.query<{ workspace_id: number }>(sql`select workspace_id from accounts where id = ${accountId}`);
  const total = { read: 0, matched: 0 };
  const client = account === undefined ? null : await openMailbox(app, accountId);
  if (account === undefined || client === null) return total;
  try {
    for (const path of await foldersToPoll(client))
      await readFolder(app, client, { accountId, workspaceId: account.workspace_id }, path, total, signal);
    await client.logout().catch(() => undefined);
    return total;
  } finally {
    client.close();
  }
}

async function readFolder(
  app: App,
  client: ImapFlow,
  mailbox: Mailbox,
  path: string,
  total: PollResult,
  signal: AbortSignal | undefined,
): Promise<void> {
  const folder = await openFolder(client, path);
  const cursor = await loadCursor(app.db, mailbox.accountId, path);
  const known = cursor !== null && cursor.uidValidity === folder.uidValidity ? cursor : null;
  const since = new Date(app.clock.now().getTime() - LOOK_BACK);
  const uids = known === null ? await uidsSince(client, folder, since) : await uidsAfter(client, folder, known.lastUid);
  for await (const message of fetchMessages(client, uids)) {
    if (signal?.aborted || !(await keepLease(app, mailbox.accountId))) return;
    await readMessage(app, { ...mailbox, folder, message }, total);
  }
  const lastUid = Math.max(uids.at(-1) ?? 0, folder.uidNext - 1, known?.lastUid ?? 0);
  await saveCursor(app.db, mailbox.accountId, path, { uidValidity: folder.uidValidity, lastUid }, app.clock.now());
}

async function readMessage(app: App, found: Found, total: PollResult): Promise<void> {
  try {
    const { mail, result } = await classifyRaw(found.message.raw);
    const match = await matchMessage(app.db, found.accountId, mail, result, app.clock.now());
    const isNew = await applyMessage(app, found, { mail, result, match });
    if (isNew) total.read++;
    if (isNew && match !== null) total.matched++;
  } catch (error) {
    if (isOutage(error)) throw error;
    app.log.error(
      { account: found.accountId, folder: found.folder.path, uid: found.message.uid, err: error },
      'a message could not be handled and is passed by',
    );
    await passBy(app, found, messageOf(error));
  }
}

/** Whether trying again later may help: the database was away, busy or full. Anything else would fail for ever. */
function isOutage(error: unknown): boolean {
  const state = sqlState(error);
  if (state !== undefined) return /^(08|25|40|53|55|57|58|XX)/.test(state);
  return /ECONN|EPIPE|ETIMEDOUT|connection|terminat|timeout|pool/i.test(messageOf(error));
}
