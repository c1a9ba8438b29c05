import type { ImapFlow, SearchObject } from 'imapflow';
import { SECOND } from '../core/clock.ts';
import { answerTimeoutOf, connectionLost, latestRefusal, SEARCH_WINDOW } from '../mail/imap-client.ts';
import { serverWords } from '../mail/server-words.ts';
import type { Cursor } from './cursor.ts';

/** A folder opened for reading. Servers leave facts out that RFC 3501 §6.3.1 makes optional, so they are optional here. */
export interface OpenFolder {
  path: string;
  /** Where the server states none, that of the cursor, or 0: messages that are read twice have no effect. */
  uidValidity: number;
  uidNext: number | null;
  /** The number of its messages. */
  exists: number | null;
}

/** The part of a folder's state that tells whether messages came. */
export interface FolderStatus {
  uidValidity: number | null;
  uidNext: number | null;
}

/** The newest messages of a folder that are searched. */
const MOST_SEARCHED = 200_000;
/** Most UIDs that are asked for without a search for those that exist, which would cost more. */
const MAX_UNSEARCHED = 16;

/** A refusal of a mailbox's server, or its silence: the command, the folder and the server's words. */
export class MailboxError extends Error {
  override readonly name = 'MailboxError';
}

/**
 * Sends the server a command, and closes the connection if no answer comes in time. Throws `MailboxError`.
 * @param command its name, for the error
 * @param send sends it and reads the answer; calls `onData` for each part of a long one, with which the time starts again
 */
export async function sendCommand<Result>(
  client: ImapFlow,
  command: string,
  send: (onData: () => void) => Promise<Result>,
  milliseconds: number = answerTimeoutOf(client),
): Promise<Result> {
  let isLate = false;
  const deadline = setTimeout(() => {
    isLate = true;
    client.close();
  }, milliseconds);
  try {
    return await send(() => void deadline.refresh());
  } catch (error) {
    const words = isLate ? `no answer within ${milliseconds / SECOND} seconds` : serverWords(error);
    throw new MailboxError(`${command}: ${words}`, { cause: error });
  } finally {
    clearTimeout(deadline);
  }
}

/** Opens a folder read-only (EXAMINE): no message of the user is marked or moved. Throws with the server's words. */
export async function openFolder(client: ImapFlow, path: string, cursor: Cursor | undefined): Promise<OpenFolder> {
  const { uidValidity, uidNext, exists }: Facts = await sendCommand(client, `EXAMINE ${path}`, () =>
    client.mailboxOpen(path, { readOnly: true }),
  );
  const validity = uidValidity === undefined ? (cursor?.uidValidity ?? 0) : exact(uidValidity);
  return { path, uidValidity: validity, uidNext: uidNext ?? null, exists: exists ?? null };
}

/** The facts that servers state about a folder; imapflow's types promise all of them. */
type Facts = Partial<Record<'uidNext' | 'exists', number>> & { uidValidity?: bigint };

/** UIDVALIDITY has 32 bits (RFC 9051 §2.3.1.1); of a server's longer one, what a double holds. */
const exact = (uidValidity: bigint): number => Number(BigInt.asUintN(53, uidValidity));

/**
 * Asks for the state of a folder without opening it (STATUS, RFC 9051 §6.3.11), which is the cheapest question. Null where the server
 * refuses. Throws when the connection is lost.
 */
export async function folderStatus(client: ImapFlow, path: string, milliseconds?: number): Promise<FolderStatus | null> {
  const ask = () => client.status(path, { uidNext: true, uidValidity: true }).catch(() => false as const);
  const status = await sendCommand(
    client,
    `STATUS ${path}`,
    async () => {
      const answer = await ask();
      if (!client.usable) throw connectionLost(client);
      return answer;
    },
    milliseconds,
  );
  if (!status) return null;
  return { uidValidity: status.uidValidity === undefined ? null : exact(status.uidValidity), uidNext: status.uidNext ?? null };
}

/**
 * Closes the open folder, if there is one. CLOSE removes messages from a folder that was not opened read-only (RFC 9051 §6.4.1), so where the
 * server does not say that it was, this returns false, as STATUS must not be asked about an open folder (RFC 3501 §6.3.10).
 */
export async function closeFolder(client: ImapFlow): Promise<boolean> {
  if (client.mailbox === false) return client.usable;
  if (client.mailbox.readOnly !== true) return false;
  const isClosed = await sendCommand(client, 'CLOSE', () => client.mailboxClose()).catch(() => false);
  return isClosed === true && client.usable;
}

/**
 * Lists UIDs of the open folder above `uid`, in order. Those of a few may be missing: to look for the ones that exist would cost more than to
 * fetch them all.
 */
export async function uidsAfter(client: ImapFlow, folder: OpenFolder, uid: number): Promise<number[]> {
  const count = (folder.uidNext ?? 0) - uid - 1;
  if (count > 0 && count <= MAX_UNSEARCHED) return Array.from({ length: count }, (_, index) => uid + 1 + index);
  // `N:*` always matches the newest message, even when its UID is below N (RFC 9051 §6.4.4).
  const query = { uid: `${uid + 1}:*` };
  const isNew = (each: number) => each > uid;
  if (folder.exists === null) return (await list(client, folder, { query, set: query.uid, isUid: true })).filter(isNew);
  return inWindows(client, folder, query, isNew);
}

/** Lists UIDs of messages that arrived on that day or later (IMAP SINCE compares whole days), and the highest UID of all. */
export async function uidsSince(client: ImapFlow, folder: OpenFolder, since: Date): Promise<{ uids: number[]; highest: number }> {
  const newest = await list(client, folder, { query: { uid: '*' }, set: '*', isUid: true });
  const uids =
    folder.exists === null
      ? await list(client, folder, { query: { since }, set: '1:*', isUid: true })
      : await inWindows(client, folder, { since }, null);
  return { uids, highest: Math.max(0, ...newest, uids.at(-1) ?? 0) };
}

/** Those of the UIDs that exist. */
export const existing = (client: ImapFlow, folder: OpenFolder, uids: readonly number[]): Promise<number[]> =>
  list(client, folder, { query: { uid: uids.join(',') }, set: uids.join(','), isUid: true });

/** UIDs below this one, of the oldest, the middle and the newest message; none where there is none. */
export async function someBefore(client: ImapFlow, folder: OpenFolder, uid: number): Promise<number[]> {
  const { exists } = folder;
  if (uid <= 1 || exists === null || exists === 0) return [];
  const some = [...new Set([1, Math.ceil(exists / 2), exists])].join(',');
  const uids = await list(client, folder, { query: { seq: some }, set: some, isUid: false });
  return uids.filter((each) => each < uid);
}

/** A SEARCH, and the messages that are listed where the server refuses it: more than were asked for are better than none. */
interface Search {
  query: SearchObject;
  /** Of UIDs or of sequence numbers. */
  set: string;
  isUid: boolean;
}

/**
 * Searches the messages part by part from the newest, since the answer to each is one line. Returns the UIDs in order.
 * @param isWanted if not null, what is true of the newer ones alone: they are searched until it is false of one
 */
async function inWindows(
  client: ImapFlow,
  folder: OpenFolder,
  query: SearchObject,
  isWanted: ((uid: number) => boolean) | null,
): Promise<number[]> {
  const uids: number[] = [];
  const exists = folder.exists ?? 0;
  const oldest = Math.max(1, exists - MOST_SEARCHED);
  for (let to = exists; to >= oldest; to -= SEARCH_WINDOW) {
    const from = Math.max(1, to - SEARCH_WINDOW + 1);
    const found = await list(client, folder, { query: { seq: `${from}:${to}`, ...query }, set: `${from}:${to}`, isUid: false });
    const wanted = isWanted === null ? found : found.filter(isWanted);
    for (const uid of wanted) uids.push(uid);
    if (isWanted !== null && wanted.length < to - from + 1) break;
  }
  return uids.sort((a, b) => a - b);
}

/**
 * Searches the open folder. An empty answer counts as a refusal where `*` finds nothing either though there are messages: that server leaves its
 * answers out. So does an empty FETCH in place of a refused SEARCH. Throws with the server's words; a folder that is empty may refuse everything,
 * as Dovecot does for `*`.
 */
async function list(client: ImapFlow, { path, exists }: OpenFolder, { query, set, isUid }: Search): Promise<number[]> {
  const found = await sendCommand(client, `SEARCH ${path}`, async () => {
    const uids = await client.search(query, { uid: true });
    if (!uids && !client.usable) throw connectionLost(client);
    if (!uids || uids.length > 0 || !exists) return uids;
    const newest = await client.search({ uid: '*' }, { uid: true });
    return newest && newest.length > 0 ? uids : false;
  });
  if (found) return found.sort((a, b) => a - b);
  const refusal = serverWords(latestRefusal(client));
  const uids: number[] = [];
  try {
    for await (const message of client.fetch(set, { uid: true }, { uid: isUid })) if (message.uid !== undefined) uids.push(message.uid);
  } catch {
    if (exists === 0 && client.usable) return [];
    throw new MailboxError(`SEARCH ${path}: ${refusal}`);
  }
  if (uids.length === 0 && exists !== 0) throw new MailboxError(`SEARCH ${path}: ${refusal}`);
  return uids.sort((a, b) => a - b);
}
