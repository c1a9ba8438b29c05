import type { ImapFlow } from 'imapflow';
import { keepPollLease, type Poll } from '../accounts/index.ts';
import type { App } from '../app.ts';
import { PollEnds } from '../campaigns/index.ts';
import { DAY } from '../core/clock.ts';
import type { MessageReaders } from '../mail/classify/index.ts';
import { absentFolder } from '../mail/polled-folders.ts';
import type { MessagePoll } from './apply.ts';
import { type Cursor, loadCursors, type SavedCursor, saveCursor } from './cursor.ts';
import { FETCH_CHUNK, fetchMessages, type ReadableFolder } from './fetch.ts';
import { handleMessages, type PollResult } from './handle.ts';
import { type FolderStatus, folderStatus, MailboxError, type OpenFolder, openFolder, uidsAfter, uidsSince } from './mailbox.ts';
import { type MailboxAccess, openPollConnection, type PollConnection } from './poll-connection.ts';
import { endWaiting, noteMissing } from './tries.ts';

/** One daemon's resources for reading mailboxes. */
export interface Mailboxes extends MailboxAccess {
  readers: MessageReaders;
}

/** The outcome of a poll. */
export interface MailboxReading {
  result: PollResult;
  /** The connection, which may serve the next poll; null without IMAP. */
  client: ImapFlow | null;
  /** Folders other than INBOX that were missing or refused, in one line. */
  warning: string | null;
}

/** The resources and the state of one poll. */
interface Work {
  app: App;
  mailboxes: Mailboxes;
  poll: MessagePoll;
  connection: PollConnection;
  cursors: ReadonlyMap<string, SavedCursor>;
  total: PollResult;
  signal: AbortSignal | undefined;
}

/** Period searched by the first poll of a folder, and at least by every poll after a change of its UIDVALIDITY. */
const FIRST_POLL_PERIOD = 14 * DAY;

/**
 * Reads the new messages in the folders of a mailbox. Throws if INBOX can't be read. Everything else is best effort: a folder that can't be
 * read causes a warning, a message that can't be fetched is retried, and a message that can't be handled is recorded.
 */
export async function readMailbox(app: App, mailboxes: Mailboxes, poll: Poll, signal: AbortSignal | undefined): Promise<MailboxReading> {
  const total = { read: 0, matched: 0 };
  const cursors = await loadCursors(app.db, poll.accountId);
  const started = await openPollConnection(mailboxes, poll);
  if (started === null) return { result: total, client: null, warning: null };
  const { connection, inbox } = started;
  const work = { app, mailboxes, poll: { ...poll, ends: new PollEnds(poll.since) }, connection, cursors, total, signal };
  try {
    await readFolder(work, 'INBOX', inbox);
    const warnings = await readOthers(work);
    return { result: total, client: connection.client, warning: warnings.length === 0 ? null : warnings.join(' | ') };
  } catch (error) {
    mailboxes.folders.forget(poll.accountId);
    connection.client.close();
    throw error;
  }
}

/** Reads the folders other than INBOX. Returns a warning for each folder that is missing or can't be read. */
async function readOthers({ mailboxes, poll, connection, cursors, signal, ...work }: Work): Promise<string[]> {
  const warnings: string[] = [];
  const attempt = async (reading: () => Promise<void>) => {
    try {
      await reading();
    } catch (error) {
      if (!(error instanceof MailboxError)) throw error;
      warnings.push(error.message);
      // The folder may have been renamed.
      mailboxes.folders.forget(poll.accountId);
    }
  };
  let paths: readonly string[] = [];
  await attempt(async () => {
    const others = await mailboxes.folders.of(poll, await connection.usable());
    paths = others.paths;
    warnings.push(...others.absent.map(absentFolder));
  });
  for (const path of paths) {
    if (signal?.aborted) return warnings;
    await attempt(async () => {
      const client = await connection.usable();
      const status = cursors.has(path) ? await folderStatus(client, path) : null;
      await readFolder({ ...work, mailboxes, poll, connection, cursors, signal }, path, status);
    });
  }
  return warnings;
}

/** Returns true if UIDNEXT is unchanged, which means that no message arrived, because each one raises it (RFC 9051 §2.3.1.1). */
const hasNothingNew = ({ uidValidity, uidNext }: FolderStatus, cursor: Cursor): boolean =>
  uidNext !== null && uidNext === cursor.uidNext && (uidValidity ?? cursor.uidValidity) === cursor.uidValidity;

async function readFolder(work: Work, path: string, status: FolderStatus | null): Promise<void> {
  const { app, mailboxes, poll, connection, cursors } = work;
  const cursor = cursors.get(path);
  const again = (cursor?.waiting ?? []).filter(({ retryAt }) => retryAt <= app.clock.now()).map(({ uid }) => uid);
  const mustOpen = again.length > 0 || mailboxes.folders.isOpeningDue(poll.accountId, path);
  const isDone = (facts: FolderStatus) => !mustOpen && cursor !== undefined && hasNothingNew(facts, cursor);
  if (status !== null && isDone(status)) return;

  const reading = await openReading(app, poll, connection, path, cursor);
  const folder = { ...reading.folder, uidNext: reading.folder.uidNext ?? status?.uidNext ?? null };
  if (isDone(folder)) return;

  const known = cursor?.uidValidity === folder.uidValidity ? cursor : null;
  const { uids, highest } = known === null ? await uidsToBegin(work, folder, cursor) : await uidsToContinue(reading.client, folder, known);
  const lastUid = Math.max(highest, await readUids(work, reading, uids, false));
  // Retries come last, because they may use up the time of the poll.
  if (known !== null) await readUids(work, reading, again, true);
  if (work.signal?.aborted) return;
  const { uidValidity, uidNext } = folder;
  if (known === null || uids.length + again.length > 0 || uidNext !== known.uidNext)
    await saveCursor(app.db, poll.accountId, path, { uidValidity, lastUid, uidNext }, app.clock.now());
  mailboxes.folders.noteOpened(poll.accountId, path);
}

/**
 * Searches back for 14 days or, if that is longer ago, to the last poll and a day more, because servers compare whole days in their own
 * time zone.
 */
function uidsToBegin(
  { app, connection }: Work,
  folder: OpenFolder,
  cursor: SavedCursor | undefined,
): Promise<{ uids: number[]; highest: number }> {
  const since = Math.min(app.clock.now().getTime() - FIRST_POLL_PERIOD, (cursor?.polledAt.getTime() ?? Number.POSITIVE_INFINITY) - DAY);
  return uidsSince(connection.client, folder, new Date(since));
}

async function uidsToContinue(
  client: ImapFlow,
  folder: OpenFolder,
  { lastUid, waiting }: SavedCursor,
): Promise<{ uids: number[]; highest: number }> {
  const retriedLater = new Set(waiting.map(({ uid }) => uid));
  return { uids: (await uidsAfter(client, folder, lastUid)).filter((uid) => !retriedLater.has(uid)), highest: lastUid };
}

/** Reads these messages. Returns the highest UID among those that exist; 0 if none exists. */
async function readUids(work: Work, reading: ReadableFolder, uids: readonly number[], isRetry: boolean): Promise<number> {
  const { app, mailboxes, poll, cursors, total, signal } = work;
  const { folder } = reading;
  const waiting = new Map(cursors.get(folder.path)?.waiting.map(({ uid, tries }) => [uid, tries]));
  const place = { ...poll, folder };
  let highest = 0;
  for (let at = 0; at < uids.length; at += FETCH_CHUNK) {
    if (at > 0) await saveProgress(app, poll, folder, highest);
    const chunk = uids.slice(at, at + FETCH_CHUNK);
    const { messages, missing } = await fetchMessages(reading, chunk, isRetry);
    // Must come before the cursor moves past them.
    await noteMissing(app, place, missing, waiting);
    // If the missing messages have used up the time of the poll, the next one begins with the other messages.
    if (!isRetry && missing.length > 0) await saveProgress(app, poll, folder, (chunk[0] ?? 1) - 1);
    const unread = await handleMessages({ app, readers: mailboxes.readers, place, reading, total, signal }, messages);
    if (signal?.aborted) return highest;
    await noteMissing(app, place, unread, waiting);
    const notRead = new Set([...missing, ...unread].map(({ uid }) => uid));
    if (isRetry)
      await endWaiting(
        app,
        place,
        chunk.filter((uid) => !notRead.has(uid)),
      );
    highest = Math.max(highest, ...[...messages, ...missing].map(({ uid }) => uid));
  }
  return highest;
}

async function openReading(
  app: App,
  poll: Poll,
  connection: PollConnection,
  path: string,
  cursor: SavedCursor | undefined,
): Promise<ReadableFolder> {
  const folder = await openFolder(await connection.usable(), path, cursor);
  return {
    folder,
    get client() {
      return connection.client;
    },
    async reopen() {
      await keepLease(app, poll);
      const again = await openFolder(await connection.usable(), path, { ...folder, lastUid: 0 });
      if (again.uidValidity !== folder.uidValidity) throw new MailboxError(`EXAMINE ${path}: its UIDVALIDITY changed while it was read`);
    },
  };
}

async function keepLease(app: App, { accountId }: Poll): Promise<void> {
  if (!(await keepPollLease(app, accountId))) throw new Error('another daemon is polling this mailbox');
}

/** Renews the lease, long before it expires, and saves the cursor. Called after every chunk except the last. */
async function saveProgress(app: App, poll: Poll, { path, uidValidity }: OpenFolder, lastUid: number): Promise<void> {
  await keepLease(app, poll);
  await saveCursor(app.db, poll.accountId, path, { uidValidity, lastUid, uidNext: null }, app.clock.now());
}
