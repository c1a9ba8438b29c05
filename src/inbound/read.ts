import type { ImapFlow } from 'imapflow';
import { keepPollLease, type Poll } from '../accounts/index.ts';
import type { App } from '../app.ts';
import { PollEnds } from '../campaigns/index.ts';
import { DAY } from '../core/clock.ts';
import { messageOf, sqlState } from '../core/errors.ts';
import type { MessageReaders, Outcome } from '../mail/classify/index.ts';
import { applyMessage, type Found, isAboutUs, type MessagePoll, setAside } from './apply.ts';
import { type Cursor, loadCursors, type SetCursor, saveCursor } from './cursor.ts';
import { type FolderStatus, fetchMessages, type OpenFolder, openFolder, uidsAfter, uidsSince } from './mailbox.ts';
import { matchMessage } from './match.ts';
import { readMessages } from './read-messages.ts';
import { type MailboxDoor, startVisit } from './visit.ts';

export interface PollResult {
  /** New messages. */
  read: number;
  /** Of those, the ones about an email of ours that somebody else sent. */
  matched: number;
}

/** The tools of one daemon for reading mailboxes. */
export interface Mailboxes extends MailboxDoor {
  readers: MessageReaders;
}

/** The outcome of a poll, and its connection, which may serve the next one; null without IMAP. */
export interface MailboxReading {
  result: PollResult;
  client: ImapFlow | null;
}

/** Time that the first poll of a folder goes back, and at least each poll after a change of its UIDVALIDITY. */
const LOOK_BACK = 14 * DAY;

/** Reads the new messages in the folders of a mailbox. Throws when the server fails; a message that can't be handled is recorded. */
export async function readMailbox(app: App, mailboxes: Mailboxes, poll: Poll, signal: AbortSignal | undefined): Promise<MailboxReading> {
  const result = { read: 0, matched: 0 };
  const running = { ...poll, ends: new PollEnds(poll.since) };
  const cursors = await loadCursors(app.db, poll.accountId);
  let client: ImapFlow | null = null;
  try {
    const visit = await startVisit(mailboxes, poll, cursors);
    if (visit === null) return { result, client };
    client = visit.client;
    for (const path of visit.paths) {
      const cursor = cursors.get(path);
      if (cursor !== undefined && hasNothingNew(visit.statuses.get(path), cursor)) continue;
      await readFolder(app, client, mailboxes.readers, running, { path, cursor }, result, signal);
    }
    return { result, client };
  } catch (error) {
    // One of them may have been renamed.
    mailboxes.folders.forget(poll.accountId);
    client?.close();
    throw error;
  }
}

/** True when no message came, since each raises UIDNEXT (RFC 9051 §2.3.1.1). */
const hasNothingNew = (status: FolderStatus | null | undefined, cursor: Cursor): boolean =>
  status != null && status.uidValidity === cursor.uidValidity && status.uidNext - 1 <= cursor.lastUid;

async function readFolder(
  app: App,
  client: ImapFlow,
  readers: MessageReaders,
  poll: MessagePoll,
  { path, cursor }: { path: string; cursor: SetCursor | undefined },
  total: PollResult,
  signal: AbortSignal | undefined,
): Promise<void> {
  const folder = await openFolder(client, path);
  const known = cursor !== undefined && cursor.uidValidity === folder.uidValidity ? cursor : null;
  if (known !== null && isUnchanged(folder, known)) return;
  // Back to the last poll if that is longer ago; a day more, since servers compare whole days in their own zone.
  const since = new Date(Math.min(app.clock.now().getTime() - LOOK_BACK, (cursor?.polledAt.getTime() ?? Number.POSITIVE_INFINITY) - DAY));
  const uids = known === null ? await uidsSince(client, folder, since) : await uidsAfter(client, folder, known.lastUid);
  let done: number | undefined;
  for await (const messages of fetchMessages(client, uids)) {
    if (done !== undefined) await keepOn(app, poll, folder, done);
    const found = messages.map((message) => ({ ...poll, folder, message }));
    for await (const [each, outcome] of readMessages(app, client, readers, found)) {
      if (signal?.aborted) return;
      await handleMessage(app, each, outcome, total);
    }
    done = messages.at(-1)?.uid ?? done;
  }
  const lastUid = Math.max(uids.at(-1) ?? 0, folder.uidNext - 1, known?.lastUid ?? 0);
  const { uidValidity, modSeq } = folder;
  await saveCursor(app.db, poll.accountId, path, { uidValidity, lastUid, modSeq }, app.clock.now());
}

/** True when nothing can have arrived: no new UID, or no change at all (CONDSTORE, RFC 7162 §3.1.2.1). */
const isUnchanged = (folder: OpenFolder, { lastUid, modSeq }: Cursor): boolean =>
  folder.uidNext - 1 <= lastUid || (folder.modSeq !== null && folder.modSeq === modSeq);

/** Renews the lease, long before it runs out, and saves the cursor, after every chunk but the last. */
async function keepOn(app: App, poll: Poll, { path, uidValidity }: OpenFolder, lastUid: number): Promise<void> {
  if (!(await keepPollLease(app, poll.accountId))) throw new Error('another daemon is polling this mailbox');
  await saveCursor(app.db, poll.accountId, path, { uidValidity, lastUid, modSeq: null }, app.clock.now());
}

async function handleMessage(app: App, found: Found, outcome: Outcome, total: PollResult): Promise<void> {
  const aside = (error: string | Error) => {
    const { accountId: account, folder, message } = found;
    app.log.error({ account, folder: folder.path, uid: message.uid, err: error }, 'a message could not be read and is set aside');
    return setAside(app, found, messageOf(error));
  };
  try {
    if (!('result' in outcome)) return await aside(outcome.reason);
    const { mail, result } = outcome;
    const match = await matchMessage(app, found.accountId, mail, result, app.clock.now());
    // Of a message that can't be read to its end, the beginning counts where it is about an email of ours.
    if ('reason' in outcome && !isAboutUs(match)) return await aside(outcome.reason);
    const isNew = await applyMessage(app, found, { ...outcome, match });
    if (isNew) total.read++;
    if (isNew && isAboutUs(match)) total.matched++;
  } catch (error) {
    if (isOutage(error)) throw error;
    await aside(error instanceof Error ? error : String(error));
  }
}

/** True when a later try may succeed: the database was away, busy or full. Anything else would fail for ever. */
function isOutage(error: unknown): boolean {
  const state = sqlState(error);
  if (state !== undefined) return /^(08|25|40|53|55|57|58|XX)/.test(state);
  return /ECONN|EPIPE|ETIMEDOUT|connection|terminat|timeout|pool/i.test(messageOf(error));
}
