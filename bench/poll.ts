import { ImapFlow } from 'imapflow';
import type { App } from '../src/app.ts';
import { sql } from '../src/db/statement.ts';
import { MailboxPoller } from '../src/inbound/index.ts';
import { Rounds } from '../src/jobs/index.ts';
import { type DovecotServer, startDovecot } from '../test/support/dovecot.ts';
import { mailboxAccount, PASSWORD } from '../test/support/polled-mailbox.ts';
import { inboundMessages } from './inbound-messages.ts';
import { benchInstallation } from './installation.ts';
import type { Measurement } from './measure.ts';

const MAILBOXES = 1_000;
/** Fewer than MAILBOXES, since both sides keep a connection to each. */
const IDLE_MAILBOXES = 250;
/** Concurrent connections of the bare side; Dovecot has 100 processes that log in. */
const CONCURRENCY = 50;

const users = Array.from({ length: MAILBOXES }, (_, index) => `box-${index}@example.com`);

/**
 * Polls of 1,000 mailboxes of a Dovecot server with one new message each, as a daemon does them: over kept connections, including the
 * database rows, against bare imapflow that connects, logs in, examines the inbox and fetches the message.
 */
export const pollRow: Measurement = {
  name: 'poll-round',
  unit: 'mailboxes/s',
  async prepare() {
    const server = await startDovecot({ users: Object.fromEntries(users.map((user) => [user, PASSWORD])) });
    const installation = await benchInstallation();
    const { app } = installation;
    const accounts: number[] = [];
    for (const user of users) accounts.push(await mailboxAccount(app, server.port, user, { last_batch_at: new Date() }));
    let uid = 0;
    const poller = new MailboxPoller(app);
    const round = (work: () => Promise<number>) => {
      arrive(server, uid++);
      return work();
    };
    // Both sides have read the messages of earlier rounds; the first poll of a mailbox is not measured.
    await round(() => atOnce(MAILBOXES, async (index) => void (await poller.poll(accounts[index] as number))));
    return {
      ours: () => round(() => pollAll(app, poller, accounts, 1)),
      ceiling: () => round(() => atOnce(MAILBOXES, (index) => readBare(server.port, users[index] as string, uid))),
      async close() {
        poller.close();
        await installation.remove();
        await server.close();
      },
    };
  },
};

/**
 * Polls of mailboxes without new messages, over the connections that are kept between polls, against bare imapflow that requests the status
 * of the same two folders over open connections.
 */
export const pollIdleRow: Measurement = {
  name: 'poll-idle',
  unit: 'mailboxes/s',
  async prepare() {
    const some = users.slice(0, IDLE_MAILBOXES);
    const server = await startDovecot({ users: Object.fromEntries(some.map((user) => [user, PASSWORD])) });
    const installation = await benchInstallation();
    const { app } = installation;
    const accounts: number[] = [];
    for (const user of some) accounts.push(await mailboxAccount(app, server.port, user, { last_batch_at: new Date() }));
    const poller = new MailboxPoller(app);
    const clients = some.map((user) => bareClient(server.port, user));
    await atOnce(accounts.length, async (index) => {
      await poller.poll(accounts[index] as number);
      await clients[index]?.connect();
    });
    return {
      ours: () => pollAll(app, poller, accounts),
      ceiling: () =>
        atOnce(accounts.length, async (index) => {
          for (const path of ['INBOX', 'Junk']) await clients[index]?.status(path, { uidNext: true, uidValidity: true });
        }),
      async close() {
        poller.close();
        for (const client of clients) client.close();
        await installation.remove();
        await server.close();
      },
    };
  },
};

/** Does the work for each mailbox, `CONCURRENCY` at a time. Returns mailboxes per second. */
async function atOnce(count: number, work: (index: number) => Promise<void>): Promise<number> {
  const begin = performance.now();
  const indexes = Array.from({ length: count }).keys();
  const worker = async () => {
    for (const index of indexes) await work(index);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  return (count * 1_000) / (performance.now() - begin);
}

function arrive(server: DovecotServer, turn: number): void {
  const raws = inboundMessages(MAILBOXES + turn);
  for (const [index, user] of users.entries()) server.deliver(user, [(raws[index + turn] as Buffer).toString()]);
}

/**
 * Polls all mailboxes as a daemon does when they are due. Returns mailboxes per second. Throws if fewer than `least` messages are read in
 * any of them.
 */
async function pollAll(app: App, poller: MailboxPoller, accounts: readonly number[], least = 0): Promise<number> {
  await app.db.query(sql`update accounts set next_poll_at = now() where id = any(${accounts}::int[])`);
  const done = Promise.withResolvers<void>();
  let left = accounts.length;
  const read: MailboxPoller['read'] = async (claimed, signal) => {
    const result = await poller.read(claimed, signal);
    if (result === null || result.read < least) done.reject(new Error('a mailbox was not read'));
    if (--left === 0) done.resolve();
    return result;
  };
  const begin = performance.now();
  const rounds = new Rounds(app, {
    name: 'poll mailbox',
    places: 200,
    due: (_app, room) => poller.claimDue(room),
    run: (_app, poll, signal) => read(poll, signal),
  });
  rounds.start();
  await done.promise.finally(() => rounds.stop());
  return (accounts.length * 1_000) / (performance.now() - begin);
}

async function readBare(port: number, user: string, uid: number): Promise<void> {
  const client = bareClient(port, user);
  await client.connect();
  await client.mailboxOpen('INBOX', { readOnly: true });
  const found = await client.fetchAll(`${uid}:*`, { uid: true, source: true }, { uid: true });
  if (found.length === 0) throw new Error('a mailbox was not read');
  await client.logout();
}

const bareClient = (port: number, user: string) =>
  new ImapFlow({
    host: '127.0.0.1',
    port,
    secure: false,
    auth: { user, pass: PASSWORD },
    logger: false,
    disableAutoIdle: true,
  });
