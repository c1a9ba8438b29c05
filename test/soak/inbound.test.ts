import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY, SECOND } from '../../src/core/clock.ts';
import { sql } from '../../src/db/statement.ts';
import { MailboxPoller } from '../../src/inbound/index.ts';
import { MessageReaders } from '../../src/mail/classify/index.ts';
import { type TestInstallation, testInstallation } from '../support/database.ts';
import { type DovecotServer, hasDovecot, startDovecot } from '../support/dovecot.ts';
import { startImapProxy } from '../support/imap-proxy.ts';
import { message, reply } from '../support/inbound-mail.ts';
import { checkMutatedInReaders } from '../support/mutated-mail.ts';
import { mailboxAccount, PASSWORD, type SentMail, sentMail } from '../support/polled-mailbox.ts';
import { TEST_SECRET } from '../support/secret.ts';
import { waitUntil } from '../support/wait-until.ts';

const DAEMON = fileURLToPath(new URL('../support/poll-daemon.ts', import.meta.url));
const [HUGE, SHARED] = ['huge@example.com', 'shared@example.com'];
const OLD = 98_500;
const NEW = 1_500;
const ANSWERS = 100;
const MEGABYTE = 1024 * 1024;

let installation: TestInstallation;
let poller: MailboxPoller;
let server: DovecotServer;
const daemons: ChildProcess[] = [];

describe.skipIf(!hasDovecot)('mailboxes', () => {
  beforeAll(async () => {
    installation = await testInstallation();
    poller = new MailboxPoller(installation.app);
    server = await startDovecot({ users: { [HUGE]: PASSWORD, [SHARED]: PASSWORD } });
  });
  afterAll(async () => {
    for (const daemon of daemons) daemon.kill('SIGKILL');
    await server?.close();
  });

  async function sent(account: number, count: number): Promise<SentMail[]> {
    const mails: SentMail[] = [];
    for (let index = 0; index < count; index++) mails.push(await sentMail(installation, account));
    return mails;
  }

  const replies = async (account: number) =>
    (
      await installation.app.db.query<{ count: number }>(
        sql`select count(*)::int as count from events e join enrolments n on n.id = e.enrolment_id where e.type = 'replied' and n.account_id = ${account} group by e.enrolment_id`,
      )
    ).map(({ count }) => count);
  const eachOnce = (count: number) => Array.from({ length: count }, () => 1);

  it('one of 100,000 messages: what is recent is read in bounded memory, over cut connections, once', { timeout: 280_000 }, async () => {
    const proxy = await startImapProxy(server.port);
    const account = await mailboxAccount(installation.app, proxy.port, HUGE);
    const mails = await sent(account, ANSWERS);
    const now = installation.clock.now().getTime();
    const filler = function* (count: number) {
      for (let index = 0; index < count; index++) yield message({ From: `x${index}@stranger.example`, Subject: 'News' });
    };
    server.deliver(HUGE, filler(OLD), new Date(now - 60 * DAY));
    server.deliver(HUGE, filler(NEW - ANSWERS), new Date(now));
    server.deliver(
      HUGE,
      mails.map((mail) => reply(mail)),
      new Date(now),
    );
    const before = process.memoryUsage().rss;
    let most = before;
    // The poll goes on over another connection, or the next one does.
    proxy.cutAfter(200_000);
    for (let read = 0; read < NEW; installation.clock.advance(600 * SECOND)) {
      const result = await poller.poll(account);
      most = Math.max(most, process.memoryUsage().rss);
      read += result?.read ?? 0;
      expect(proxy.commands.length, 'the mailbox is never read to its end').toBeLessThan(2 * NEW);
    }
    // What was read before a cut was not read in vain.
    const fetched = proxy.commands.flatMap((command) => /^UID FETCH ([\d,]+)/.exec(command)?.[1]?.split(',') ?? []);
    expect(proxy.commands.filter((command) => command.startsWith('AUTHENTICATE')).length).toBeGreaterThan(1);
    expect(fetched.length).toBeGreaterThan(NEW);
    expect(fetched.length).toBeLessThan(1.2 * NEW);
    const [count] = await installation.app.db.query(sql`select count(*)::int as count from inbound_messages where account_id = ${account}`);
    expect(count).toEqual({ count: NEW });
    expect(await replies(account)).toEqual(eachOnce(ANSWERS));
    expect((most - before) / MEGABYTE).toBeLessThan(300);
    proxy.commands.length = 0;
    expect(await poller.poll(account)).toEqual({ read: 0, matched: 0 });
    expect(proxy.commands.filter((command) => command.includes('FETCH'))).toEqual([]);
    await proxy.close();
  });

  it('one that two daemons read, whose leases run out again and again: each message has its effect exactly once', async () => {
    const account = await mailboxAccount(installation.app, server.port, SHARED);
    const mails = await sent(account, ANSWERS);
    const env = {
      ...process.env,
      DATABASE_URL: installation.databaseUrl,
      OUTREACH_DATA_DIR: installation.dataDir,
      OUTREACH_SECRET_KEY: TEST_SECRET,
    };
    for (let index = 0; index < 2; index++) {
      const daemon = spawn(process.execPath, [DAEMON, String(account), installation.clock.now().toISOString()], {
        env,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      daemons.push(daemon);
      await begun(daemon);
    }
    for (const mail of mails) {
      server.deliver(SHARED, [reply(mail)]);
      await installation.app.db.query(sql`update accounts set poll_lease_until = null where id = ${account}`);
    }
    await waitUntil('all are read', async () => (await replies(account)).length === ANSWERS, 60);
    expect(await replies(account)).toEqual(eachOnce(ANSWERS));
  });
});

const begun = async (daemon: ChildProcess) => daemon.stdout === null || once(daemon.stdout, 'data');

describe('the classifier', () => {
  it('of 100,000 mutated messages none breaks its reader, and memory stays bounded', { timeout: 1_200_000 }, async () => {
    const readers = new MessageReaders();
    await checkMutatedInReaders(readers, 2_000, 1);
    const before = process.memoryUsage().rss;
    await checkMutatedInReaders(readers, Number(process.env.FUZZ_RUNS ?? 100_000), 20_261_122);
    expect((process.memoryUsage().rss - before) / MEGABYTE).toBeLessThan(300);
    readers.close();
  });
});
