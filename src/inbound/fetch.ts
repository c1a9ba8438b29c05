import type { FetchQueryObject, ImapFlow } from 'imapflow';
import { messageOf } from '../core/errors.ts';
import { BEGINNING_BYTES, MAX_MESSAGE_BYTES, withoutAttachments } from '../mail/classify/index.ts';
import { connectionLost } from '../mail/imap-client.ts';
import { existingUids, MailboxError, type OpenFolder, sampleBefore, sendCommand } from './mailbox.ts';

/** A message as stored in the mailbox. */
export interface MailboxMessage {
  uid: number;
  /** Cut to BEGINNING_BYTES. */
  raw: Buffer;
  receivedAt: Date | null;
  /** Why the server returned only the header, in its own words; unset otherwise. */
  lacksBody?: string;
}

/** An existing message that the server did not return, with the server's reason. */
export interface MissingMessage {
  uid: number;
  reason: string;
}

export interface Fetched {
  messages: MailboxMessage[];
  missing: MissingMessage[];
}

/** A folder, and a connection that is replaced when fetching a message breaks it. */
export interface ReadableFolder {
  readonly client: ImapFlow;
  readonly folder: OpenFolder;
  /** Reconnects and reopens the folder. Throws if that fails or if the folder's UIDVALIDITY has changed. */
  reopen(): Promise<void>;
}

/** Number of bytes read of a message. Header, text and delivery report come first; the rest is attachments. */
const MAX_BYTES = 1024 * 1024;
/** Number of messages fetched together. It bounds the message beginnings in memory, and the messages to refetch after a lost connection. */
export const FETCH_CHUNK = 16;
/** Number of reconnects for one chunk; after that, the rest of the chunk is fetched at the next poll. */
const MAX_LOST_CONNECTIONS = 4;

const BEGINNING: FetchQueryObject = { uid: true, internalDate: true, source: { start: 0, maxLength: BEGINNING_BYTES } };
const HEADER: FetchQueryObject = { uid: true, internalDate: true, headers: true };

/** Returns true if a message may be longer than its fetched part. Sizes reported by servers are not always correct. */
export const isCut = ({ raw }: MailboxMessage): boolean => raw.length >= BEGINNING_BYTES;

/**
 * Fetches the beginnings of messages, in the order of their UIDs. If the server leaves some out, fetches each of those alone; messages that
 * exist but still do not come are `missing`. A server that says OK but leaves a message out has not deleted it
 * (docs/decisions/reading-never-stops.md).
 * @param isRetry true for messages that were missing at an earlier poll, for which the header is enough if nothing else comes
 * @throws if no message came and the server returns no other message either, because then the folder is at fault
 */
export async function fetchMessages(reading: ReadableFolder, uids: readonly number[], isRetry: boolean): Promise<Fetched> {
  const came = new Map<number, MailboxMessage>();
  const missing: MissingMessage[] = [];
  const refusal = isRetry ? undefined : await fetchInto(came, reading, uids, BEGINNING);
  const left = uids.filter((uid) => !came.has(uid));
  let lost = 0;
  for (const uid of await stillThere(reading, left, refusal)) {
    if (!reading.client.usable && lost++ < MAX_LOST_CONNECTIONS) await reading.reopen();
    const reason = reading.client.usable ? await fetchAlone(came, reading, uid, isRetry) : 'the connection was lost too often';
    if (!came.has(uid)) missing.push({ uid, reason });
  }
  const [first] = missing;
  if (came.size === 0 && first !== undefined) await requireSomeMessage(reading, first);
  return { messages: [...came.values()].sort((a, b) => a.uid - b.uid), missing };
}

/** Returns the messages that exist. After a refusal, or if the server does not tell, returns all, so that they are fetched anyway. */
async function stillThere(
  { client, folder }: ReadableFolder,
  uids: readonly number[],
  refusal: string | undefined,
): Promise<readonly number[]> {
  if (uids.length === 0 || refusal !== undefined) return uids;
  return existingUids(client, folder, uids).catch(() => uids);
}

/** Fetches one message or, if `mayLackBody`, at least its header. Returns the reason for a message that did not come. */
async function fetchAlone(came: Map<number, MailboxMessage>, reading: ReadableFolder, uid: number, mayLackBody: boolean): Promise<string> {
  const refusal = await fetchInto(came, reading, [uid], BEGINNING);
  const reason = refusal ?? 'the server said OK but left the message out';
  if (came.has(uid) || !mayLackBody) return reason;
  if (!reading.client.usable) await reading.reopen();
  await fetchInto(came, reading, [uid], HEADER);
  const found = came.get(uid);
  if (found !== undefined) found.lacksBody = reason;
  return reason;
}

/** Throws unless the server returns some message before this one or, if there is none, at least the UID of this one. */
async function requireSomeMessage(reading: ReadableFolder, { uid, reason }: MissingMessage): Promise<void> {
  if (!reading.client.usable) await reading.reopen();
  const others = await sampleBefore(reading.client, reading.folder, uid);
  const came = new Map<number, MailboxMessage>();
  for (const other of others) {
    if (!reading.client.usable) await reading.reopen();
    await fetchInto(came, reading, [other], BEGINNING);
    if (came.size > 0) return;
  }
  if (others.length > 0 || !(await existsByFetch(reading, uid))) throw new MailboxError(reason);
}

async function existsByFetch({ client, folder }: ReadableFolder, uid: number): Promise<boolean> {
  const ask = () => client.fetchOne(String(uid), { uid: true }, { uid: true });
  return (await sendCommand(client, `FETCH ${folder.path}`, ask).catch(() => false)) !== false;
}

/** Fetches messages into `came`. Returns the server's words if it refused; messages that came before the refusal count. */
async function fetchInto(
  came: Map<number, MailboxMessage>,
  { client, folder }: ReadableFolder,
  uids: readonly number[],
  query: FetchQueryObject,
): Promise<string | undefined> {
  const asked = new Set(uids);
  const [alone] = uids.length === 1 ? uids : [];
  const read = async (onData: () => void) => {
    for await (const message of client.fetch(uids.join(','), query, { uid: true })) {
      onData();
      const raw = message.source ?? message.headers;
      // A message fetched alone needs no UID to be identified; some servers leave it out.
      const uid = (message.uid as number | undefined) ?? alone;
      if (uid !== undefined && asked.has(uid) && Buffer.isBuffer(raw) && raw.length > 0)
        came.set(uid, { uid, raw, receivedAt: validDate(message.internalDate) });
    }
    if (!client.usable) throw connectionLost(client);
  };
  try {
    await sendCommand(client, `FETCH ${folder.path}`, read);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

/**
 * Fetches a message up to MAX_BYTES, over a new connection if the fetch breaks this one. Returns the part that is already there if the
 * server does not return more.
 */
export async function fetchWhole(reading: ReadableFolder, { uid, raw }: MailboxMessage): Promise<Buffer> {
  const found = await fetchPiece(reading, uid, 0);
  return found.length > raw.length ? found : raw;
}

/**
 * Fetches the rest of a message that `fetchWhole` had to cut, piece by piece: text may follow megabytes of pictures, of which it keeps only
 * the beginnings. Stops when it has kept MAX_BYTES. Returns null if the message was not cut.
 */
export async function fetchFurther(reading: ReadableFolder, { uid }: MailboxMessage, beginning: Buffer): Promise<Uint8Array | null> {
  if (beginning.length < MAX_BYTES) return null;
  let kept = withoutAttachments(beginning);
  for (let at = MAX_BYTES; at < MAX_MESSAGE_BYTES && kept.length < MAX_BYTES; at += MAX_BYTES) {
    const piece = await fetchPiece(reading, uid, at);
    kept = withoutAttachments(Buffer.concat([kept, piece]));
    if (piece.length < MAX_BYTES) break;
  }
  return kept;
}

async function fetchPiece(reading: ReadableFolder, uid: number, start: number): Promise<Buffer> {
  const piece: FetchQueryObject = { uid: true, source: { start, maxLength: MAX_BYTES } };
  const came = new Map<number, MailboxMessage>();
  await fetchInto(came, reading, [uid], piece);
  if (!reading.client.usable) {
    await reading.reopen();
    await fetchInto(came, reading, [uid], piece);
  }
  return came.get(uid)?.raw ?? Buffer.alloc(0);
}

function validDate(value: Date | string | undefined): Date | null {
  const date = new Date(value ?? Number.NaN);
  return Number.isNaN(date.getTime()) ? null : date;
}
