import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SECOND } from '../../src/core/clock.ts';
import { sql } from '../../src/db/statement.ts';
import { MailboxPoller } from '../../src/inbound/index.ts';
import { type TestInstallation, testInstallation } from '../support/database.ts';
import { type ImapProxy, startImapProxy } from '../support/imap-proxy.ts';
import { hasDovecot, type ImapServer, startImapServer } from '../support/imap-server.ts';
import { reply } from '../support/inbound-mail.ts';
import { mailboxAccount, PASSWORD, sentMail } from '../support/polled-mailbox.ts';
import { rowOf } from '../support/rows.ts';

const USERS = ['zoe', 'yan', 'xia', 'wim', 'vera', 'uma', 'tom', 'sam', 'rose', 'quin', 'paul', 'otto', 'nina'].map(
  (name) => `${name}@example.com`,
);
let installation: TestInstallation;
let server: ImapServer;
let proxy: ImapProxy;
let poller: MailboxPoller;
const users = USERS.values();

beforeAll(async () => {
  installation = await testInstallation();
  server = await startImapServer({ users: Object.fromEntries(USERS.map((user) => [user, PASSWORD])) });
});
afterAll(() => server?.close());
beforeEach(async () => {
  proxy = await startImapProxy(server.port);
  poller = keeping(10);
});
afterEach(async () => {
  poller.close();
  await proxy.close();
});

function keeping(pollConnections: number): MailboxPoller {
  const { app } = installation;
  return new MailboxPoller({ ...app, config: { ...app.config, pollConnections } }, { answerWithin: 200 });
}

/** Creates a mailbox that was read once. */
async function readMailbox(): Promise<{ id: number; user: string }> {
  const user = users.next().value as string;
  const id = await mailboxAccount(installation.app, proxy.port, user, { last_batch_at: installation.clock.now() });
  expect(await poller.poll(id)).toEqual({ read: 0, matched: 0 });
  proxy.commands.length = 0;
  return { id, user };
}

const logins = () => proxy.commands.filter((command) => /^(LOGIN|AUTHENTICATE)/i.test(command)).length;
const verbs = () => proxy.commands.map((command) => command.split(' ')[0]);

async function replyTo(id: number, user: string): Promise<() => Promise<string>> {
  const mail = await sentMail(installation, id);
  await server.append(user, 'INBOX', reply(mail));
  return async () => (await rowOf<{ status: string }>(installation.app, 'enrolments', mail.enrolmentId)).status;
}

// Hoodiecrow's users share one mailbox.
describe.skipIf(!hasDovecot)('a connection that is kept between two polls', () => {
  it('asks each folder by STATUS alone while nothing comes, without a login', async () => {
    const { id } = await readMailbox();
    expect(await poller.poll(id)).toEqual({ read: 0, matched: 0 });
    expect(verbs()).toEqual(['STATUS', 'STATUS']);
  });

  it('collects nothing from poll to poll', async () => {
    const warnings: string[] = [];
    const note = ({ name }: Error) => void warnings.push(name);
    process.on('warning', note);
    const { id } = await readMailbox();
    for (let turn = 0; turn < 12; turn++) await poller.poll(id);
    process.off('warning', note);
    expect(warnings).toEqual([]);
    expect(logins()).toBe(0);
  });

  it('reads what came, leaves the folder by CLOSE, which deletes nothing after EXAMINE (RFC 9051 §6.4.1), and goes on', async () => {
    const { id, user } = await readMailbox();
    for (let turn = 0; turn < 2; turn++) {
      const status = await replyTo(id, user);
      expect(await poller.poll(id)).toEqual({ read: 1, matched: 1 });
      expect(await status()).toBe('replied');
    }
    expect(logins()).toBe(0);
    expect(verbs()).toEqual([...'STATUS EXAMINE UID STATUS CLOSE'.split(' '), ...'STATUS EXAMINE UID STATUS CLOSE'.split(' ')]);
  });

  it.each([0, 40, 400])('that is cut after %i more bytes loses nothing', async (bytes) => {
    const { id, user } = await readMailbox();
    const status = await replyTo(id, user);
    proxy.cutOpenAfter(bytes);
    // If the connection is cut during the check, the poll opens a new one; if it is cut while reading, the next poll does.
    if ((await poller.poll(id)) === null) expect(await poller.poll(id)).not.toBeNull();
    expect(await status()).toBe('replied');
    expect(logins()).toBe(1);
  });

  it('that falls silent is given up after its deadline; the same poll reads over a new one', async () => {
    const { id, user } = await readMailbox();
    const status = await replyTo(id, user);
    proxy.silence();
    expect(await poller.poll(id)).toEqual({ read: 1, matched: 1 });
    expect(await status()).toBe('replied');
  });

  it('serves no account that was connected anew, with a server or credentials of its own', async () => {
    const { id } = await readMailbox();
    await installation.app.db.query(sql`update accounts set connected_at = now() + interval '1 second' where id = ${id}`);
    expect(await poller.poll(id)).not.toBeNull();
    expect(logins()).toBe(1);
  });
});

describe.skipIf(!hasDovecot)('how many connections are kept', () => {
  it('as many as the setting says: the one that is there stays, the other mailbox is read by short visits', async () => {
    poller = keeping(1);
    const [first, second] = [await readMailbox(), await readMailbox()];
    await poller.poll(first.id);
    expect(logins()).toBe(0);
    await poller.poll(second.id);
    await poller.poll(second.id);
    expect(logins()).toBe(2);
  });

  it('fewer at a server that refuses one more: it is asked again without those, and both mailboxes are read', async () => {
    const first = await readMailbox();
    proxy.limit(1);
    const second = await readMailbox();
    for (const { id } of [first, second]) {
      const status = await replyTo(id, id === first.id ? first.user : second.user);
      installation.clock.advance(120 * SECOND);
      expect(await poller.poll(id)).toEqual({ read: 1, matched: 1 });
      expect(await status()).toBe('replied');
    }
  });
});
