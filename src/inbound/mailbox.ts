import type { ImapFlow, SearchObject } from 'imapflow';
import { SECOND } from '../core/clock.ts';
import { answerTimeoutOf, connectionLost, latestRefusal, SEARCH_WINDOW } from '../mail/imap-client.ts';
import { serverWords } from '../mail/server-words.ts';
import type { Cursor } from './cursor.ts';

/** A folder opened for reading. Facts that RFC 3501 §6.3.1 makes optional, so that some servers leave them out, are optional here. */
export interface OpenFolder {
  path: string;
  /** If the server reports none, that of the cursor, or 0. That is safe, because messages that are read twice have no effect. */
  uidValidity: number;
  uidNext: number | null;
  /** Number of messages in the folder. */
  exists: number | null;
}

/** The part of a folder's state that shows if there are new messages. */
export interface FolderStatus {
  uidValidity: number | null;
  uidNext: number | null;
}

/** Maximum number of messages searched in a folder, counted from the newest. */
const MAX_SEARCHED = 200_000;
/** Maximum number of UIDs fetched without first searching for existing ones, which would cost more. */
const MAX_UNSEARCHED = 16;

/** The IMAP server refused a command or did not respond. The message has the command, the folder and the server's words. */
export class MailboxError extends Error {
  override readonly name = 'MailboxError';
}

/**
 * Sends a command to the server, and closes the connection if no response comes in time. Throws `MailboxError`.
 * @param command name of the command, for the error message
 * @param send sends the command and reads the response; calls `onData` for each part of a long response, which restarts the timeout
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

/** Opens a folder read-only (EXAMINE), so that none of the user's messages is marked or moved. Throws with the server's words. */
export async function openFolder(client: ImapFlow, path: string, cursor: Cursor | undefined): Promise<OpenFolder> {
  const { uidValidity, uidNext, exists }: Facts = await sendCommand(client, `EXAMINE ${path}`, () =>
    client.mailboxOpen(path, { readOnly: true }),
  );
  const validity = uidValidity === undefined ? (cursor?.uidValidity ?? 0) : exact(uidValidity);
  return { path, uidValidity: validity, uidNext: uidNext ?? null, exists: exists ?? null };
}

/** The facts that servers may report about a folder. ImapFlow's types wrongly declare all of them as present. */
type Facts = Partial<Record<'uidNext' | 'exists', number>> & { uidValidity?: bigint };

/** Converts a UIDVALIDITY. It has 32 bits (RFC 9051 §2.3.1.1); a longer one is cut to the 53 bits that a double can represent exactly. */
const exact = (uidValidity: bigint): number => Number(BigInt.asUintN(53, uidValidity));

/**
 * Queries the state of a folder without opening it (STATUS, RFC 9051 §6.3.11), which is the cheapest command for that. Returns null if the
 * server refuses. Throws if the connection is lost.
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
 * Closes the open folder, if any. Returns true if the connection can be reused. CLOSE removes messages marked as deleted from a folder that
 * is not read-only (RFC 9051 §6.4.1), so unless the server confirms read-only, it closes nothing and returns false: STATUS must not be sent
 * for an open folder (RFC 3501 §6.3.10).
 */
export async function closeFolder(client: ImapFlow): Promise<boolean> {
  if (client.mailbox === false) return client.usable;
  if (client.mailbox.readOnly !== true) return false;
  const isClosed = await sendCommand(client, 'CLOSE', () => client.mailboxClose()).catch(() => false);
  return isClosed === true && client.usable;
}

/**
 * Lists UIDs of the open folder above `uid`, in order. A short list may contain UIDs that do not exist, because searching for the existing
 * ones would cost more than fetching them all.
 */
export async function uidsAfter(client: ImapFlow, folder: OpenFolder, uid: number): Promise<number[]> {
  const count = (folder.uidNext ?? 0) - uid - 1;
  if (count > 0 && count <= MAX_UNSEARCHED) return Array.from({ length: count }, (_, index) => uid + 1 + index);
  // `N:*` always matches the newest message, even if its UID is below N (RFC 9051 §6.4.4).
  const query = { uid: `${uid + 1}:*` };
  const isNew = (each: number) => each > uid;
  if (folder.exists === null) return (await searchUids(client, folder, { query, set: query.uid, isUid: true })).filter(isNew);
  return inWindows(client, folder, query, isNew);
}

/** Lists UIDs of messages that arrived on that day or later (IMAP SINCE compares whole days), and the folder's highest UID. */
export async function uidsSince(client: ImapFlow, folder: OpenFolder, since: Date): Promise<{ uids: number[]; highest: number }> {
  const newest = await searchUids(client, folder, { query: { uid: '*' }, set: '*', isUid: true });
  const uids =
    folder.exists === null
      ? await searchUids(client, folder, { query: { since }, set: '1:*', isUid: true })
      : await inWindows(client, folder, { since }, null);
  return { uids, highest: Math.max(0, ...newest, uids.at(-1) ?? 0) };
}

/** Returns the UIDs that exist. */
export const existingUids = (client: ImapFlow, folder: OpenFolder, uids: readonly number[]): Promise<number[]> =>
  searchUids(client, folder, { query: { uid: uids.join(',') }, set: uids.join(','), isUid: true });

/** Returns those UIDs of the oldest, the middle and the newest message that are below `uid`. */
export async function sampleBefore(client: ImapFlow, folder: OpenFolder, uid: number): Promise<number[]> {
  const { exists } = folder;
  if (uid <= 1 || exists === null || exists === 0) return [];
  const some = [...new Set([1, Math.ceil(exists / 2), exists])].join(',');
  const uids = await searchUids(client, folder, { query: { seq: some }, set: some, isUid: false });
  return uids.filter((each) => each < uid);
}

/** A SEARCH, and the messages to list if the server refuses it. Too many messages are better than none. */
interface Search {
  query: SearchObject;
  /** A set of UIDs or of sequence numbers. */
  set: string;
  isUid: boolean;
}

/**
 * Searches the folder window by window from the newest, because the response to each search is a single line. Returns the UIDs in order.
 * @param isWanted a condition that holds for newer messages only, so that the search stops at a message for which it is false; or null
 */
async function inWindows(
  client: ImapFlow,
  folder: OpenFolder,
  query: SearchObject,
  isWanted: ((uid: number) => boolean) | null,
): Promise<number[]> {
  const uids: number[] = [];
  const exists = folder.exists ?? 0;
  const oldest = Math.max(1, exists - MAX_SEARCHED);
  for (let to = exists; to >= oldest; to -= SEARCH_WINDOW) {
    const from = Math.max(1, to - SEARCH_WINDOW + 1);
    const found = await searchUids(client, folder, { query: { seq: `${from}:${to}`, ...query }, set: `${from}:${to}`, isUid: false });
    const wanted = isWanted === null ? found : found.filter(isWanted);
    for (const uid of wanted) uids.push(uid);
    if (isWanted !== null && wanted.length < to - from + 1) break;
  }
  return uids.sort((a, b) => a - b);
}

/**
 * Searches the open folder, or fetches the UIDs if the server refuses the search. An empty result counts as a refusal if `*` finds nothing
 * either although the folder has messages: that server omits its results. An empty FETCH after a refused SEARCH also counts as a refusal.
 * Throws with the server's words, except for an empty folder, for which servers may refuse everything, as Dovecot does for `*`.
 */
async function searchUids(client: ImapFlow, { path, exists }: OpenFolder, { query, set, isUid }: Search): Promise<number[]> {
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
