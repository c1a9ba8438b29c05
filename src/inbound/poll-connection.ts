import type { ImapFlow } from 'imapflow';
import type { Poll } from '../accounts/index.ts';
import type { FolderLists } from './folders.ts';
import type { KeptConnections } from './kept-connections.ts';
import { type FolderStatus, folderStatus, MailboxError, sendCommand } from './mailbox.ts';

export interface MailboxAccess {
  folders: FolderLists;
  connections: KeptConnections;
  /** Timeout in milliseconds for a kept connection, which may be silently dead (after a NAT restart); a live one answers immediately. */
  answerWithin: number;
}

/** The connection of a poll. It is replaced if reading a folder or a message breaks it. */
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

  /** Reconnects if the connection was lost. Throws `MailboxError`. */
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
 * Connects to a mailbox: reuses the kept connection if it answers, else opens a new one. `inbox` is the state of INBOX reported over a kept
 * connection; a new connection gets it from EXAMINE. Null without IMAP. Throws if the server can't be reached or refuses the login.
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
