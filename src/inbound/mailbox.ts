import type { FetchMessageObject, ImapFlow, SearchObject } from 'imapflow';
import { BEGINNING_BYTES } from '../mail/classify/index.ts';

/** A message as the mailbox holds it. */
export interface MailboxMessage {
  uid: number;
  /** Cut to BEGINNING_BYTES. */
  raw: Buffer;
  receivedAt: Date | null;
}

/** A folder opened for reading. */
export interface OpenFolder {
  path: string;
  uidValidity: number;
  uidNext: number;
  isEmpty: boolean;
  /** HIGHESTMODSEQ where the server has CONDSTORE, as a decimal number; it may exceed what a double holds. */
  modSeq: string | null;
}

/** The part of a folder's state that tells whether messages came. */
export type FolderStatus = Pick<OpenFolder, 'uidValidity' | 'uidNext'>;

/** Bytes read of a message: header, text and delivery report come first; the rest is attachments. */
const MAX_BYTES = 1024 * 1024;
/** Messages fetched at once: as many beginnings may be in memory, and a lost connection costs no more than these again. */
const CHUNK = 16;

/** True for a message that may be longer than what was fetched of it. Sizes that servers report are not always right. */
export const isCut = ({ raw }: MailboxMessage): boolean => raw.length >= BEGINNING_BYTES;

/** Opens a folder read-only (EXAMINE): no message of the user is marked or moved. */
export async function openFolder(client: ImapFlow, path: string): Promise<OpenFolder> {
  const folder = await client.mailboxOpen(path, { readOnly: true });
  const modSeq = folder.highestModseq === undefined ? null : String(folder.highestModseq);
  return { path, uidValidity: Number(folder.uidValidity), uidNext: folder.uidNext, isEmpty: folder.exists === 0, modSeq };
}

/**
 * Asks for the state of a folder without opening it (STATUS, RFC 9051 §6.3.11), which is the cheapest question. Null where the server
 * does not say; throws when the connection is lost or the folder is gone.
 */
export async function folderStatus(client: ImapFlow, path: string): Promise<FolderStatus | null> {
  const status = await client.status(path, { uidNext: true, uidValidity: true });
  if (!client.usable) throw new Error('the connection was lost');
  if (!status || status.uidNext === undefined || status.uidValidity === undefined) return null;
  return { uidValidity: Number(status.uidValidity), uidNext: status.uidNext };
}

/**
 * Closes the open folder, if there is one, by UNSELECT (RFC 3691): CLOSE removes messages from a folder that was not opened read-only.
 * Returns false where the server can't: STATUS must not be asked about an open folder (RFC 3501 §6.3.10).
 */
export async function closeFolder(client: ImapFlow): Promise<boolean> {
  if (client.mailbox === false) return client.usable;
  if (!client.capabilities.has('UNSELECT')) return false;
  // imapflow has no function for it, and takes the next EXAMINE for a change of folder.
  const { exec } = client as unknown as { exec(command: string): Promise<{ next(): void }> };
  try {
    (await exec.call(client, 'UNSELECT')).next();
    client.mailbox = false;
    client.state = client.states.AUTHENTICATED;
    return client.usable;
  } catch {
    return false;
  }
}

/** Lists UIDs of the open folder above `uid`, in order. Sends nothing for an empty folder, since Dovecot answers BAD. */
export async function uidsAfter(client: ImapFlow, folder: OpenFolder, uid: number): Promise<number[]> {
  if (folder.isEmpty || folder.uidNext <= uid + 1) return [];
  // So few that searching for those that exist costs more than fetching them all.
  if (folder.uidNext - uid <= CHUNK) return Array.from({ length: folder.uidNext - uid - 1 }, (_, index) => uid + 1 + index);
  const found = await search(client, { uid: `${uid + 1}:*` });
  // `N:*` always matches the newest message, even when its UID is below N (RFC 9051 §6.4.4).
  return found.filter((each) => each > uid);
}

/** Lists UIDs of messages that arrived on that day or later (IMAP SINCE compares whole days). */
export async function uidsSince(client: ImapFlow, folder: OpenFolder, since: Date): Promise<number[]> {
  if (folder.isEmpty) return [];
  return search(client, { since });
}

/** Searches the open folder. imapflow returns `false` when the server refuses or the connection is lost; that is not "none", and throws. */
async function search(client: ImapFlow, query: SearchObject): Promise<number[]> {
  const found = await client.search(query, { uid: true });
  if (!found) throw new Error('the server did not respond to the search');
  return found.sort((a, b) => a - b);
}

/** Fetches the beginnings of messages in chunks, in the order of their UIDs. One that was deleted meanwhile is left out: it has no bytes. */
export async function* fetchMessages(client: ImapFlow, uids: readonly number[]): AsyncGenerator<MailboxMessage[]> {
  for (let at = 0; at < uids.length; at += CHUNK) {
    const chunk: FetchMessageObject[] = [];
    for await (const message of client.fetch(
      uids.slice(at, at + CHUNK).join(','),
      { uid: true, internalDate: true, source: { start: 0, maxLength: BEGINNING_BYTES } },
      { uid: true },
    ))
      chunk.push(message);
    // What a server leaves out was deleted; what a lost connection leaves out was not.
    if (!client.usable) throw new Error('the connection was lost');
    yield chunk
      .sort((a, b) => a.uid - b.uid)
      .flatMap(({ uid, source, internalDate }) =>
        Buffer.isBuffer(source) ? [{ uid, raw: source, receivedAt: validDate(internalDate) }] : [],
      );
  }
}

/** Fetches a message up to MAX_BYTES; what was fetched of it already, where it was deleted meanwhile. */
export async function fetchWhole(client: ImapFlow, { uid, raw }: MailboxMessage): Promise<Buffer> {
  const message = await client.fetchOne(String(uid), { source: { start: 0, maxLength: MAX_BYTES } }, { uid: true });
  if (!client.usable) throw new Error('the connection was lost');
  return message && Buffer.isBuffer(message.source) ? message.source : raw;
}

function validDate(value: Date | string | undefined): Date | null {
  const date = new Date(value ?? Number.NaN);
  return Number.isNaN(date.getTime()) ? null : date;
}
