import type { ImapFlow } from 'imapflow';
import type { Poll } from '../accounts/index.ts';
import type { Cursor } from './cursor.ts';
import type { FolderLists } from './folders.ts';
import type { KeptConnections } from './kept-connections.ts';
import { type FolderStatus, folderStatus } from './mailbox.ts';

/** A mailbox at the beginning of a poll. */
export interface Visit {
  client: ImapFlow;
  paths: readonly string[];
  /** By path, of the folders that were read before; null where the server does not say. */
  statuses: ReadonlyMap<string, FolderStatus | null>;
}

export interface MailboxDoor {
  folders: FolderLists;
  connections: KeptConnections;
  /** Milliseconds. A kept connection may be dead without a word (an address translator that restarted); a live one answers at once. */
  answerWithin: number;
}

/**
 * Asks the mailbox's folders whether anything came: over the kept connection if it answers, else over a new one. Null without IMAP.
 * Throws when the server fails.
 */
export async function startVisit(door: MailboxDoor, poll: Poll, cursors: ReadonlyMap<string, Cursor>): Promise<Visit | null> {
  const kept = door.connections.take(poll);
  if (kept !== undefined) {
    const visit = await beforeDeadline(kept, door.answerWithin, ask(door.folders, kept, poll, cursors));
    if (visit !== undefined) return visit;
  }
  const client = await door.connections.open(poll);
  if (client === null) return null;
  try {
    return await ask(door.folders, client, poll, cursors);
  } catch (error) {
    client.close();
    throw error;
  }
}

async function ask(folders: FolderLists, client: ImapFlow, poll: Poll, cursors: ReadonlyMap<string, Cursor>): Promise<Visit> {
  const paths = await folders.of(poll, client);
  const statuses = new Map<string, FolderStatus | null>();
  for (const path of paths) if (cursors.has(path)) statuses.set(path, await folderStatus(client, path));
  return { client, paths, statuses };
}

/** The answer over a kept connection; undefined, and the connection closed, if it fails or takes too long. */
async function beforeDeadline(client: ImapFlow, milliseconds: number, answer: Promise<Visit>): Promise<Visit | undefined> {
  const deadline = setTimeout(() => client.close(), milliseconds);
  try {
    return await answer;
  } catch {
    client.close();
    return undefined;
  } finally {
    clearTimeout(deadline);
  }
}
