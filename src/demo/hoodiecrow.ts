import { createRequire } from 'node:module';
import type { Server } from 'node:net';
import { OutreachError } from '../core/errors.ts';

/** The part of hoodiecrow-imap, an IMAP server in memory without types, that the demo and the tests use. */
export interface Hoodiecrow {
  /** The TCP server. It is undocumented, but there is no other way to get the number of a free port. */
  readonly server: Server;
  listen(port: number, host: string, listening: () => void): void;
  close(closed: () => void): void;
  /** @param raw the message as binary text, one character a byte */
  appendMessage(mailbox: string, flags: string[], date: Date, raw: string): void;
  /** Returns the mailbox object; clients see changes to it when they next select it. */
  getMailbox(path: string): { uidvalidity: number } | undefined;
}

export interface HoodiecrowOptions {
  users: Record<string, { password: string; xoauth2?: { readonly accessToken: string | undefined } }>;
  /** Folders besides INBOX, each with the special use of its name (RFC 6154). */
  folders: readonly string[];
  /** Extensions by hoodiecrow's names for them. */
  plugins: readonly string[];
  /** TLS from the first byte. */
  secureConnection?: boolean;
  credentials?: { key: Buffer; cert: Buffer };
}

/** Creates a server that does not listen yet. Throws `conflict` if the package is missing: it is installed only in a checkout, not on a server. */
export function createHoodiecrow({ folders, plugins, ...options }: HoodiecrowOptions): Hoodiecrow {
  const hoodiecrow = load();
  const imap = hoodiecrow({
    ...options,
    plugins: [...plugins, keepPartial],
    storage: {
      INBOX: {},
      '': { folders: Object.fromEntries(folders.map((name) => [name, { 'special-use': `\\${name}` }])) },
    },
  });
  // It writes each line of a response separately: the second line would wait up to 40 ms until the client acknowledges the first.
  imap.server.on('connection', (socket) => socket.setNoDelay());
  return imap;
}

function load(): (options: object) => Hoodiecrow {
  try {
    return createRequire(import.meta.url)('hoodiecrow-imap') as (options: object) => Hoodiecrow;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
    const message = 'the demo needs the package hoodiecrow-imap, which a server does not install; run it in a checkout, after: npm ci';
    throw new OutreachError('conflict', message, { cause: error });
  }
}

/** A command as hoodiecrow passes it to its handlers; the second attribute of FETCH is the list of requested items. */
interface Command {
  attributes?: (FetchItem | FetchItem[] | undefined)[];
}

interface FetchItem {
  partial?: number[];
}

type Handler = (connection: unknown, command: Command, data: string, done: () => void) => void;

/**
 * A plugin for hoodiecrow-imap 2.1. Its FETCH removes the length from `BODY[]<0.length>` at the first message that is
 * shorter, and returns nothing for every later one.
 */
function keepPartial(server: { getCommandHandler(name: string): Handler; setCommandHandler(name: string, handler: Handler): void }): void {
  for (const name of ['FETCH', 'UID FETCH']) {
    const fetch = server.getCommandHandler(name);
    server.setCommandHandler(name, (connection, command, data, done) => {
      for (const item of [command.attributes?.[1]].flat()) {
        const { partial } = item ?? {};
        if (partial !== undefined) Object.defineProperty(item, 'partial', { get: () => [...partial] });
      }
      fetch(connection, command, data, done);
    });
  }
}
