import { ImapFlow } from 'imapflow';
import { MailboxPoller } from '../src/inbound/index.ts';
import { type DovecotServer, startDovecot } from '../test/support/dovecot.ts';
import { mailboxAccount, PASSWORD } from '../test/support/polled-mailbox.ts';
import { inboundMessages } from './inbound-messages.ts';
import { benchInstallation } from './installation.ts';
import type { Measurement } from './measure.ts';

const MAILBOXES = 1_000;
/** Concurrent connections of each side. */
const AT_ONCE = 50;

const users = Array.from({ length: MAILBOXES }, (_, index) => `box-${index}@example.com`);

/**
 * Polls of 1,000 mailboxes of a Dovecot server with one new message each: a complete poll, rows included, against bare imapflow
 * that connects, logs in, examines the inbox and fetches the message.
 */
export const pollRow: Measurement = {
  name: 'poll-round',
  unit: 'mailboxes/s',
  async prepare() {
    const server = await startDovecot({ users: Object.fromEntries(users.map((user) => [user, PASSWORD])) });
    const installation = await benchInstallation();
    const { app } = installation;
    const accounts: number[] = [];
    for (const user of users) accounts.push(await mailboxAccount(app, server.port, user));
    let uid = 0;
    const poller = new MailboxPoller(app);
    const round = async (work: (index: number) => Promise<void>) => {
      arrive(server, uid++);
      const begin = performance.now();
      const indexes = users.keys();
      const worker = async () => {
        for (const index of indexes) await work(index);
      };
      await Promise.all(Array.from({ length: AT_ONCE }, worker));
      return (MAILBOXES * 1_000) / (performance.now() - begin);
    };
    // Both sides have read the messages of earlier rounds; the first poll of a mailbox is not measured.
    await round(async (index) => void (await poller.poll(accounts[index] as number)));
    return {
      ours: () => round(async (index) => requireRead(await poller.poll(accounts[index] as number))),
      ceiling: () => round((index) => readBare(server.port, users[index] as string, uid)),
      async close() {
        await installation.remove();
        await server.close();
      },
    };
  },
};

function arrive(server: DovecotServer, turn: number): void {
  const raws = inboundMessages(MAILBOXES + turn);
  for (const [index, user] of users.entries()) server.deliver(user, [(raws[index + turn] as Buffer).toString()]);
}

function requireRead(result: { read: number } | null): void {
  if (result === null || result.read === 0) throw new Error('a mailbox was not read');
}

async function readBare(port: number, user: string, uid: number): Promise<void> {
  const client = new ImapFlow({
    host: '127.0.0.1',
    port,
    secure: false,
    auth: { user, pass: PASSWORD },
    logger: false,
    disableAutoIdle: true,
  });
  await client.connect();
  await client.mailboxOpen('INBOX', { readOnly: true });
  const found = await client.fetchAll(`${uid}:*`, { uid: true, source: true }, { uid: true });
  if (found.length === 0) throw new Error('a mailbox was not read');
  await client.logout();
}
