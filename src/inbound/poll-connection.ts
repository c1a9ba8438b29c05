import type { ImapFlow } from 'imapflow';
import type { Poll } from '../accounts/index.ts';
import type { FolderLists } from './folders.ts';
import type { KeptConnections } from './kept-connections.ts';
import { type FolderStatus, folderStatus, MailboxError, sendCommand } from './mailbox.ts';

export interface MailboxAccess {
  folders: FolderLists;
  connections: KeptConnections;
  /** Milliseconds. A kept connection may be dead without a word (an address translator that restarted); a live one answers at once. */
  answerWithin: number;
}

/** The connection of a poll. Another takes its place where a folder or a message costs it. */
export class PollConnection {
  readonly #access: MailboxAccess;
  readonly #poll: Poll;
  #client: ImapFlow;

  constructor(access: MailboxAccess, poll: Poll, client: ImapFlow) {
    this.#access = access;
    this.#poll = poll;
    this.#client = client;
  }

  get client(): ImapFlow {
    return this.#client;
  }

  /** Connects again if the connection was lost. Throws `MailboxError`. */
  async usable(): Promise<ImapFlow> {
    if (this.#client.usable) return this.#client;
    this.#client.close();
    const client = await sendCommand(this.#client, 'login', () => this.#access.connections.open(this.#poll));
    if (client === null) throw new MailboxError('the account no longer has an IMAP server');
    this.#client = client;
    return client;
  }
}

/**
 * Connects to a mailbox: over the kept connection if it answers, else over a new one. `inbox` is what a kept connection said of INBOX; to a
 * new one its EXAMINE says the same. Null without IMAP. Throws when the server can't be reached, or refuses the login.
 */
export async function openPollConnection(
  access: MailboxAccess,
  poll: Poll,
): Promise<{ connection: PollConnection; inbox: FolderStatus | null } | null> {
  const kept = access.connections.take(poll);
  if (kept !== undefined) {
    try {
      const inbox = await folderStatus(kept, 'INBOX', access.answerWithin);
      return { connection: new PollConnection(access, poll, kept), inbox };
    } catch {
      kept.close();
    }
  }
  const client = await access.connections.open(poll);
  return client === null ? null : { connection: new PollConnection(access, poll, client), inbox: null };
}
