import { readFileSync } from 'node:fs';
import type { AddressInfo, Socket } from 'node:net';
import { ImapFlow } from 'imapflow';
import { createHoodiecrow } from '../../src/demo/hoodiecrow.ts';
import { hasDovecot, startDovecot } from './dovecot.ts';
import { TEST_CERTIFICATE, TEST_CERTIFICATE_KEY } from './smtp-sink.ts';

export { freePort, hasDovecot } from './dovecot.ts';

export interface ServerOptions {
  /** Passwords by user. */
  users: Record<string, string>;
  /** TLS from the first byte, or STARTTLS offered (only by Dovecot). The certificate is `TEST_CERTIFICATE`. */
  tls?: 'implicit' | 'starttls';
  port?: number;
  /** OAuth 2.0 access tokens by user, read at each login. If they are given, XOAUTH2 is offered (by hoodiecrow). */
  tokens?: Record<string, string>;
}

/** Functions that the two servers offer besides IMAP itself. */
export interface MailServer {
  readonly port: number;
  renewUidValidity(user: string, mailbox: string): Promise<void>;
  close(): Promise<void>;
}

interface StoredMessage {
  uid: number;
  flags: Set<string>;
  raw: Buffer;
}

export interface ImapServer extends MailServer {
  /** Stores a message, and returns its UID if the server reports it. A missing folder is created. */
  append(user: string, folder: string, raw: string | Buffer, flags?: string[]): Promise<number | undefined>;
  /** Reads the messages in the folder, oldest first. */
  messages(user: string, folder: string): Promise<StoredMessage[]>;
  createFolder(user: string, folder: string): Promise<void>;
  deleteFolder(user: string, folder: string): Promise<void>;
  /** Changes the folder's UIDVALIDITY, as a server that was restored from a backup does. */
  renewUidValidity(user: string, folder: string): Promise<void>;
}

/**
 * Starts a real IMAP server on a free port of the loopback interface, with INBOX, Sent, Junk, Trash and Drafts: Dovecot if it is installed,
 * otherwise hoodiecrow, whose users all share one mailbox.
 */
export async function startImapServer(options: ServerOptions): Promise<ImapServer> {
  const server = await (hasDovecot && options.tokens === undefined ? startDovecot(options) : startHoodiecrow(options));
  const as = async <Result>(user: string, work: (client: ImapFlow) => Promise<Result>): Promise<Result> => {
    const client = new ImapFlow({
      host: '127.0.0.1',
      port: server.port,
      secure: options.tls === 'implicit',
      tls: { rejectUnauthorized: false },
      auth: { user, pass: options.users[user] ?? '' },
      logger: false,
      disableAutoIdle: true,
    });
    // Without a listener, a lost connection would end the process.
    client.on('error', () => undefined);
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.logout();
    }
  };
  const createFolder = (user: string, folder: string) =>
    as(user, async (client) => {
      // Hoodiecrow refuses to create an existing folder, without the code that imapflow expects.
      const isThere = (await client.list()).some(({ path }) => path === folder);
      if (!isThere) await client.mailboxCreate(folder);
    });

  return {
    ...server,
    async append(user, folder, raw, flags = []) {
      if (folder.toUpperCase() !== 'INBOX') await createFolder(user, folder);
      const appended = await as(user, (client) => client.append(folder, Buffer.from(raw), flags));
      if (appended === false) throw new Error(`the IMAP server did not take a message for ${folder}`);
      return appended?.uid;
    },
    messages: (user, folder) =>
      as(user, async (client) => {
        const { exists } = await client.mailboxOpen(folder, { readOnly: true });
        if (exists === 0) return [];
        const found = await client.fetchAll('1:*', { uid: true, flags: true, source: true });
        return found.map(({ uid, flags, source }) => ({ uid, flags: flags ?? new Set(), raw: source ?? Buffer.alloc(0) }));
      }),
    createFolder,
    deleteFolder: (user, folder) => as(user, async (client) => void (await client.mailboxDelete(folder))),
  };
}

/** STARTTLS is left out: hoodiecrow's own certificate has expired. */
const PLUGINS = ['AUTH-PLAIN', 'SASL-IR', 'ID', 'IDLE', 'ENABLE', 'CONDSTORE', 'UNSELECT', 'NAMESPACE', 'SPECIAL-USE', 'LITERALPLUS'];

async function startHoodiecrow({ users, tls, port = 0, tokens }: ServerOptions): Promise<MailServer> {
  if (tls === 'starttls') throw new Error('STARTTLS needs Dovecot; install dovecot-imapd');
  const tokenOf = (user: string) => ({
    get accessToken() {
      return tokens?.[user];
    },
  });
  const imap = createHoodiecrow({
    users: Object.fromEntries(Object.entries(users).map(([user, password]) => [user, { password, xoauth2: tokenOf(user) }])),
    folders: ['Sent', 'Junk', 'Trash', 'Drafts'],
    plugins: tokens === undefined ? PLUGINS : [...PLUGINS, 'XOAUTH2'],
    secureConnection: tls === 'implicit',
    credentials: { key: readFileSync(TEST_CERTIFICATE_KEY), cert: readFileSync(TEST_CERTIFICATE) },
  });
  const sockets = new Set<Socket>();
  imap.server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => imap.listen(port, '127.0.0.1', resolve));
  return {
    port: (imap.server.address() as AddressInfo).port,
    async renewUidValidity(_user, mailbox) {
      const found = imap.getMailbox(mailbox);
      if (found === undefined) throw new Error(`no mailbox ${mailbox}`);
      found.uidvalidity += 1;
    },
    close: () =>
      new Promise((resolve) => {
        imap.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
