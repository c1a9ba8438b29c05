import type { ImapFlow } from 'imapflow';
import { imapClient, openImap } from '../accounts/index.ts';
import type { App } from '../app.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../clock.ts';
import { sql } from '../db.ts';
import { messageOf, sqlState } from '../errors.ts';
import { WORKER } from '../worker.ts';
import { applyMessage } from './apply.ts';
import { classifyRaw } from './classify/index.ts';
import { loadCursor, saveCursor } from './cursor.ts';
import { fetchMessages, foldersToPoll, type MailboxMessage, type OpenFolder, openFolder, uidsAfter, uidsSince } from './mailbox.ts';
import { matchMessage } from './match.ts';

export interface PollResult {
  /** Messages that were new to us. */
  read: number;
  /** Of those, the ones that answer a mail of ours. */
  matched: number;
}

const LEASE_SECONDS = 300;
/** How far back a folder is read the first time, and again when its UIDs have changed their meaning. */
const LOOK_BACK = 14 * DAY;
const MAX_BACKOFF = HOUR;

/** Accounts whose mailbox gets the replies of running or recent campaigns and is due to be read. Index: accounts_poll. */
export async function duePolls(app: App, limit: number): Promise<number[]> {
  const now = app.clock.now();
  const rows = await app.db.query<{ id: number }>(sql`
    select r.id from accounts r
    where r.imap is not null and r.deleted_at is null and not r.is_archived and r.status <> 'disconnected'
      and (r.next_poll_at is null or r.next_poll_at <= ${now}) and (r.poll_lease_until is null or r.poll_lease_until < now())
      and exists (
        select 1 from campaigns c join accounts a on a.id = c.account_id
        where c.workspace_id = r.workspace_id and c.deleted_at is null and c.status <> 'draft'
          and lower(coalesce(c.reply_to, a.email)) = lower(r.email) and c.updated_at > ${now}::timestamptz - interval '90 days')
    order by r.next_poll_at nulls first limit ${limit}`);
  return rows.map((row) => row.id);
}

/**
 * Reads what is new in an account's mailbox. One daemon reads an account at a time. What goes wrong is noted with the
 * account and tried again, later each time; it never throws for what a server or a message does.
 */
export async function pollAccount(app: App, accountId: number): Promise<PollResult | null> {
  if (!(await takeLease(app, accountId))) return null;
  try {
    const result = await readMailbox(app, accountId);
    await finish(app, accountId, null);
    return result;
  } catch (error) {
    app.log.warn({ account: accountId, reason: messageOf(error) }, 'mailbox could not be read');
    await finish(app, accountId, messageOf(error));
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

async function finish(app: App, accountId: number, error: string | null): Promise<void> {
  const now = app.clock.now();
  const interval = app.config.pollIntervalSeconds * SECOND;
  const wait = error === null ? interval : Math.min(Math.max(interval, 5 * MINUTE), MAX_BACKOFF);
  await app.db.query(sql`
    update accounts set poll_worker = null, poll_lease_until = null, next_poll_at = ${new Date(now.getTime() + wait)}, poll_error = ${error},
      last_polled_at = case when ${error === null} then ${now}::timestamptz else last_polled_at end
    where id = ${accountId} and poll_worker = ${WORKER}`);
}

async function readMailbox(app: App, accountId: number): Promise<PollResult> {
  const login = await openImap(app, accountId);
  const [account] = await app.db.query<{ workspace_id: number }>(sql`select workspace_id from accounts where id = ${accountId}`);
  if (login === null || account === undefined) return { read: 0, matched: 0 };
  const client = imapClient(login);
  const total = { read: 0, matched: 0 };
  try {
    await client.connect();
    for (const path of await foldersToPoll(client)) {
      const { read, matched } = await readFolder(app, client, { id: accountId, workspaceId: account.workspace_id }, path);
      total.read += read;
      total.matched += matched;
    }
    await client.logout();
    return total;
  } finally {
    client.close();
  }
}

interface Mailbox {
  id: number;
  workspaceId: number;
}

async function readFolder(app: App, client: ImapFlow, mailbox: Mailbox, path: string): Promise<PollResult> {
  const folder = await openFolder(client, path);
  const cursor = await loadCursor(app.db, mailbox.id, path);
  const isKnown = cursor !== null && cursor.uidValidity === folder.uidValidity;
  const since = new Date(app.clock.now().getTime() - LOOK_BACK);
  const uids = isKnown ? await uidsAfter(client, folder, cursor.lastUid) : await uidsSince(client, folder, since);
  const result = { read: 0, matched: 0 };
  for await (const message of fetchMessages(client, uids)) {
    const matched = await takeMessage(app, mailbox, folder, message);
    if (matched !== null) result.read++;
    if (matched) result.matched++;
    await saveCursor(app.db, mailbox.id, path, { uidValidity: folder.uidValidity, lastUid: message.uid }, app.clock.now());
    await app.db.query(sql`
      update accounts set poll_lease_until = now() + make_interval(secs => ${LEASE_SECONDS}) where id = ${mailbox.id} and poll_worker = ${WORKER}`);
  }
  const lastUid = Math.max(uids.at(-1) ?? 0, folder.uidNext - 1, isKnown ? cursor.lastUid : 0);
  await saveCursor(app.db, mailbox.id, path, { uidValidity: folder.uidValidity, lastUid }, app.clock.now());
  return result;
}

/** True: it answers a mail of ours; false: it does not; null: it was known. */
async function takeMessage(app: App, mailbox: Mailbox, folder: OpenFolder, message: MailboxMessage): Promise<boolean | null> {
  const now = app.clock.now();
  const { mail: parsed, result: classification } = await classifyRaw(message.raw);
  try {
    const match = await matchMessage(app.db, mailbox.id, parsed, classification, now);
    const place = { accountId: mailbox.id, workspaceId: mailbox.workspaceId, folder: folder.path, uidValidity: folder.uidValidity };
    const isNew = await applyMessage(app, { ...place, message, parsed, classification, match });
    return isNew ? match !== null : null;
  } catch (error) {
    // A message that the database can't take (class 22, data exception) must not stop the mailbox for ever.
    if (!sqlState(error)?.startsWith('22')) throw error;
    app.log.error(
      { account: mailbox.id, folder: folder.path, uid: message.uid, reason: messageOf(error) },
      'a message could not be recorded and is passed by',
    );
    return null;
  }
}
