import type { ImapFlow } from 'imapflow';
import { keepPollLease, openMailbox, type Poll } from '../accounts/index.ts';
import type { App } from '../app.ts';
import { DAY } from '../core/clock.ts';
import { messageOf, sqlState } from '../core/errors.ts';
import { classifyRaw } from '../mail/classify/index.ts';
import { applyMessage, type Found, isAboutUs, passBy } from './apply.ts';
import { type Cursor, loadCursor, saveCursor } from './cursor.ts';
import type { FolderLists } from './folders.ts';
import { fetchMessages, type OpenFolder, openFolder, uidsAfter, uidsSince } from './mailbox.ts';
import { matchMessage } from './match.ts';

export interface PollResult {
  /** New messages. */
  read: number;
  /** Of those, the ones about an email of ours that somebody else sent. */
  matched: number;
}

/** Time that the first poll of a folder goes back, and at least each poll after a change of its UIDVALIDITY. */
const LOOK_BACK = 14 * DAY;
/** Messages after which the lease is renewed, long before it runs out, and the cursor is saved. */
const STRIDE = 16;

/** Reads the new messages in the folders of a mailbox. Throws when the server fails; a message that can't be handled is recorded. */
export async function readMailbox(app: App, folders: FolderLists, poll: Poll, signal: AbortSignal | undefined): Promise<PollResult> {
  const total = { read: 0, matched: 0 };
  const client = await openMailbox(app, poll.accountId);
  if (client === null) return total;
  try {
    for (const path of await folders.of(poll, client)) await readFolder(app, client, poll, path, total, signal);
    await client.logout().catch(() => undefined);
    return total;
  } catch (error) {
    // One of them may have been renamed.
    folders.forget(poll.accountId);
    throw error;
  } finally {
    client.close();
  }
}

async function readFolder(
  app: App,
  client: ImapFlow,
  poll: Poll,
  path: string,
  total: PollResult,
  signal: AbortSignal | undefined,
): Promise<void> {
  const folder = await openFolder(client, path);
  const cursor = await loadCursor(app.db, poll.accountId, path);
  const known = cursor !== null && cursor.uidValidity === folder.uidValidity ? cursor : null;
  if (known !== null && isUnchanged(folder, known)) return;
  // Back to the last poll if that is longer ago; a day more, since servers compare whole days in their own zone.
  const since = new Date(Math.min(app.clock.now().getTime() - LOOK_BACK, (cursor?.polledAt.getTime() ?? Number.POSITIVE_INFINITY) - DAY));
  const uids = known === null ? await uidsSince(client, folder, since) : await uidsAfter(client, folder, known.lastUid);
  let count = 0;
  for await (const message of fetchMessages(client, uids)) {
    if (signal?.aborted) return;
    await readMessage(app, { ...poll, folder, message }, total);
    if (++count % STRIDE !== 0) continue;
    if (!(await keepPollLease(app, poll.accountId))) throw new Error('another daemon is polling this mailbox');
    await saveCursor(
      app.db,
      poll.accountId,
      path,
      { uidValidity: folder.uidValidity, lastUid: message.uid, modSeq: null },
      app.clock.now(),
    );
  }
  const lastUid = Math.max(uids.at(-1) ?? 0, folder.uidNext - 1, known?.lastUid ?? 0);
  const { uidValidity, modSeq } = folder;
  await saveCursor(app.db, poll.accountId, path, { uidValidity, lastUid, modSeq }, app.clock.now());
}

/** True when nothing can have arrived: no new UID, or no change at all (CONDSTORE, RFC 7162 §3.1.2.1). */
const isUnchanged = (folder: OpenFolder, { lastUid, modSeq }: Cursor): boolean =>
  folder.uidNext - 1 <= lastUid || (folder.modSeq !== null && folder.modSeq === modSeq);

async function readMessage(app: App, found: Found, total: PollResult): Promise<void> {
  try {
    const { message: mail, result } = await classifyRaw(found.message.raw);
    const match = await matchMessage(app.db, found.accountId, mail, result, app.clock.now());
    const isNew = await applyMessage(app, found, { mail, result, match });
    if (isNew) total.read++;
    if (isNew && isAboutUs(match)) total.matched++;
  } catch (error) {
    if (isOutage(error)) throw error;
    app.log.error(
      { account: found.accountId, folder: found.folder.path, uid: found.message.uid, err: error },
      'a message could not be processed and is skipped',
    );
    await passBy(app, found, messageOf(error));
  }
}

/** True when a later try may succeed: the database was away, busy or full. Anything else would fail for ever. */
function isOutage(error: unknown): boolean {
  const state = sqlState(error);
  if (state !== undefined) return /^(08|25|40|53|55|57|58|XX)/.test(state);
  return /ECONN|EPIPE|ETIMEDOUT|connection|terminat|timeout|pool/i.test(messageOf(error));
}
