import { ImapFlow } from 'imapflow';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DAY, SECOND } from '../../src/core/clock.ts';
import { sql } from '../../src/db/statement.ts';
import { MailboxPoller } from '../../src/inbound/index.ts';
import { type TestInstallation, testInstallation } from '../support/database.ts';
import { type ImapProxy, startImapProxy } from '../support/imap-proxy.ts';
import { hasDovecot, type ImapServer, startImapServer } from '../support/imap-server.ts';
import { bounce, message, reply } from '../support/inbound-mail.ts';
import { mailboxAccount, PASSWORD, type SentMail, sentMail } from '../support/polled-mailbox.ts';
import { rowOf } from '../support/rows.ts';

const MAILS = 40;
let installation: TestInstallation;
let poller: MailboxPoller;
let visitor: MailboxPoller;
let server: ImapServer;
let proxy: ImapProxy;
let user = '';
let account = 0;
let made = 0;

// Hoodiecrow's users share one mailbox, and it does not support partial FETCH.
const onDovecot = describe.skipIf(!hasDovecot);

beforeAll(async () => {
  installation = await testInstallation();
  const { app } = installation;
  poller = new MailboxPoller(app);
  visitor = new MailboxPoller({ ...app, config: { ...app.config, pollConnections: 0 } });
  const users = Array.from({ length: 13 }, (_, index) => [`m${index + 1}@example.com`, PASSWORD]);
  server = await startImapServer({ users: Object.fromEntries(users) });
});
afterAll(() => server?.close());

beforeEach(async () => {
  installation.clock.advance(600 * SECOND);
  proxy = await startImapProxy(server.port);
  user = `m${++made}@example.com`;
  account = await mailboxAccount(installation.app, proxy.port, user);
});
afterEach(() => proxy.close());

async function sent(count: number): Promise<SentMail[]> {
  const mails: SentMail[] = [];
  for (let index = 0; index < count; index++) mails.push(await sentMail(installation, account));
  return mails;
}

/** Puts all messages into the inbox over one connection. */
async function arrive(raws: readonly (string | Buffer)[]): Promise<void> {
  await asUser(async (client) => {
    for (const raw of raws) await client.append('INBOX', Buffer.from(raw));
  });
}

async function asUser(work: (client: ImapFlow) => Promise<unknown>): Promise<void> {
  const client = new ImapFlow({ host: '127.0.0.1', port: server.port, secure: false, auth: { user, pass: PASSWORD }, logger: false });
  client.on('error', () => undefined);
  await client.connect();
  await work(client);
  await client.logout();
}

const eventsOf = (mails: readonly SentMail[]) =>
  installation.app.db
    .query<{ enrolment_id: number; count: number }>(
      sql`select enrolment_id, count(*)::int as count from events where type = 'replied' and enrolment_id = any(${mails.map((mail) => mail.enrolmentId)}::int[]) group by 1`,
    )
    .then((rows) => rows.map(({ count }) => count));
const once = (count: number) => Array.from({ length: count }, () => 1);
const poll = () => poller.poll(account);
/** Polls over a new connection each time. */
const pollAnew = () => visitor.poll(account);

onDovecot('a mailbox that goes away or changes while it is read', () => {
  it('a connection that is cut anywhere loses nothing and repeats nothing', async () => {
    const mails = await sent(MAILS);
    await arrive(mails.map((mail) => reply(mail)));
    await pollAnew();
    const whole = proxy.received();
    const late = await sent(MAILS);
    await arrive(late.map((mail) => reply(mail)));
    let cuts = 0;
    for (let bytes = 300; bytes < whole; bytes += Math.ceil(whole / 12)) {
      proxy.cutAfter(bytes);
      const isRead = (await pollAnew()) !== null;
      const error = isRead ? null : expect.stringMatching(/\w/);
      expect(await rowOf(installation.app, 'accounts', account)).toMatchObject({ poll_error: error, poll_lease_until: null });
      if (!isRead) cuts++;
      installation.clock.advance(600 * SECOND);
    }
    expect(cuts).toBeGreaterThan(0);
    expect(await pollAnew()).not.toBeNull();
    expect(await eventsOf([...mails, ...late])).toEqual(once(2 * MAILS));
  });

  it('messages that are deleted between search and fetch are left out, the others read', async () => {
    const mails = await sent(20);
    await arrive(mails.map((mail) => reply(mail)));
    proxy.before(/UID FETCH/i, () =>
      asUser(async (client) => {
        await client.mailboxOpen('INBOX');
        await client.messageDelete('1:5');
      }),
    );
    expect(await poll()).toEqual({ read: 15, matched: 15 });
    expect(await eventsOf(mails)).toEqual(once(15));
  });

  it('a folder whose UIDVALIDITY changes between two polls has no effect again', async () => {
    const mails = await sent(5);
    await arrive(mails.map((mail) => reply(mail)));
    await poll();
    await server.renewUidValidity(user, 'INBOX');
    expect(await poll()).not.toBeNull();
    expect(await eventsOf(mails)).toEqual(once(5));
  });

  it('a folder whose UIDVALIDITY changes while nobody reads it for weeks is read from where it was', async () => {
    const { clock } = installation;
    const begin = clock.now();
    // Appended messages get the time of this machine.
    clock.set(new Date().toISOString());
    try {
      const mails = await sent(2);
      await poll();
      await arrive(mails.map((mail) => reply(mail)));
      await server.renewUidValidity(user, 'INBOX');
      clock.advance(30 * DAY);
      expect(await poll()).not.toBeNull();
      expect(await eventsOf(mails)).toEqual(once(2));
    } finally {
      clock.set(begin.toISOString());
    }
  });

  it('a message that the user moves to another folder that is read has no effect again', async () => {
    const [mail] = (await sent(1)) as [SentMail];
    await arrive([reply(mail)]);
    await poll();
    await asUser(async (client) => {
      await client.mailboxOpen('INBOX');
      await client.messageMove('1', 'Junk');
    });
    await poll();
    expect(await eventsOf([mail])).toEqual([1]);
  });

  it('two readers at once, since the lease of the first ran out: each message has its effect exactly once', async () => {
    const mails = await sent(MAILS);
    await arrive(mails.map((mail) => reply(mail)));
    let second: ReturnType<typeof poll> | undefined;
    proxy.before(/UID FETCH/i, async () => {
      await installation.app.db.query(sql`update accounts set poll_lease_until = now() - interval '1 second' where id = ${account}`);
      second = poll();
    });
    await poll();
    await second;
    await poll();
    expect(await eventsOf(mails)).toEqual(once(MAILS));
  });

  it('an empty mailbox is asked for no message: FETCH 1:* is an error there', async () => {
    expect(await poll()).toEqual({ read: 0, matched: 0 });
    expect(proxy.commands.filter((command) => /FETCH/i.test(command))).toEqual([]);
  });
});

describe('the folders of a mailbox', () => {
  /** Returns how often all folders were listed; ImapFlow itself lists the one that it opens. */
  const lists = () => proxy.commands.filter((command) => /^LIST "" "\*"/i.test(command)).length;

  it('are listed once an hour, and again after a poll that failed', async () => {
    await pollAnew();
    const once = lists();
    expect(once).toBeGreaterThan(0);
    installation.clock.advance(59 * 60 * SECOND);
    const before = proxy.received();
    await pollAnew();
    const whole = proxy.received() - before;
    expect(lists()).toBe(once);
    installation.clock.advance(61 * SECOND);
    await pollAnew();
    expect(lists()).toBe(2 * once);
    // At a point where a folder is open: after the login, before the logout.
    proxy.cutAfter(whole * 0.8);
    expect(await pollAnew()).toBeNull();
    expect(await pollAnew()).not.toBeNull();
    expect(lists()).toBe(3 * once);
  });
});

describe('what the user sees', () => {
  it('folders are opened by EXAMINE, and nothing is written', async () => {
    const [mail] = (await sent(1)) as [SentMail];
    await arrive([reply(mail)]);
    await poll();
    expect(proxy.commands.some((command) => /^EXAMINE/i.test(command))).toBe(true);
    expect(proxy.commands.filter((command) => /^(UID )?(SELECT|STORE|MOVE|COPY|EXPUNGE|APPEND)/i.test(command))).toEqual([]);
    const [found] = await server.messages(user, 'INBOX');
    expect([...(found?.flags ?? [])].filter((flag) => flag !== '\\Recent')).toEqual([]);
  });
});

onDovecot('a message that is built to hurt', () => {
  it('of 50 MB is read up to its first megabyte', async () => {
    const [mail] = (await sent(1)) as [SentMail];
    const line = `${'x'.repeat(998)}\r\n`;
    await arrive([reply(mail, {}, `Yes, let us talk.\r\n${line.repeat(50_000)}`)]);
    const before = proxy.received();
    expect(await poll()).toEqual({ read: 1, matched: 1 });
    // Fetched twice, because a reply is read again with the email that it answers, and its bytes are not kept in between.
    expect(proxy.received() - before).toBeLessThan(2.25 * 1024 * 1024);
    expect(await eventsOf([mail])).toEqual([1]);
  });

  it('"a request counts, whatever stands around it": the text behind megabytes of pictures is read', async () => {
    const [mail, other] = (await sent(2)) as [SentMail, SentMail];
    const picture = [
      '--b',
      'Content-Type: image/jpeg; name=x.jpg',
      'Content-Transfer-Encoding: base64',
      '',
      ...Array(40_000).fill('QUJD'.repeat(19)),
    ];
    const text = ['--b', 'Content-Type: text/plain; charset=utf-8', 'Content-Transfer-Encoding: base64', ''];
    const type = { 'MIME-Version': '1.0', 'Content-Type': 'multipart/mixed;\r\n boundary=b' };
    const words = (said: string) => [...picture, ...text, Buffer.from(said).toString('base64'), '--b--'];
    await arrive([reply(mail, type, words('Bitte löschen Sie meine Adresse.')), reply(other, type, [...picture, '--b--'])]);
    expect(await poll()).toEqual({ read: 2, matched: 2 });
    const statuses = [mail, other].map(({ enrolmentId }) => rowOf<{ status: string }>(installation.app, 'enrolments', enrolmentId));
    expect((await Promise.all(statuses)).map(({ status }) => status)).toEqual(['stopped', 'replied']);
    const [shown] = await installation.app.db.query<{ own_text: string }>(
      sql`select own_text from replies where enrolment_id = ${mail.enrolmentId}`,
    );
    expect(shown?.own_text.trim()).toBe('Bitte löschen Sie meine Adresse.');
  });

  it('in its header, charset or parts keeps nobody from reading the next one', async () => {
    const [mail, encrypted] = (await sent(2)) as [SentMail, SentMail];
    const from = { From: 'x@stranger.example', Subject: 'x' };
    await arrive([
      message({ ...from, 'X-Bomb': 'y'.repeat(500_000) }),
      `${'X-Field: 1\r\n'.repeat(20_000)}${message(from)}`,
      message({ ...from, 'Content-Type': 'text/plain; charset=klingon-8', 'Content-Transfer-Encoding': 'base64' }, '////====!!!'),
      message({ ...from, 'Content-Type': 'multipart/mixed; boundary=b' }, ['--b', '--b', '', '--b--']),
      message({ ...from, 'Content-Type': 'multipart/mixed; boundary=' }, ''),
      reply(encrypted, { 'Content-Type': 'multipart/encrypted; protocol="application/pgp-encrypted"; boundary=e' }, [
        ...['--e', 'Content-Type: application/pgp-encrypted', '', 'Version: 1', '--e', 'Content-Type: application/octet-stream', ''],
        ...['-----BEGIN PGP MESSAGE-----', '', 'hQEMA', '-----END PGP MESSAGE-----', '--e--'],
      ]),
      reply(mail),
    ]);
    expect(await poll()).toEqual({ read: 7, matched: 2 });
    expect(await eventsOf([encrypted, mail])).toEqual([1, 1]);
  });

  it('a forged In-Reply-To and the bounce of a mail that is not ours are none of ours', async () => {
    const [mail] = (await sent(1)) as [SentMail];
    const foreign = { ...mail, messageId: '<not-ours@other.example>', recipient: 'someone@else.example' };
    await arrive([reply(foreign), bounce(foreign), message({ From: 'x@stranger.example', 'In-Reply-To': '<guessed@example.com>' })]);
    expect(await poll()).toEqual({ read: 3, matched: 0 });
    const rows = await installation.app.db.query(
      sql`select verdict, sender, subject, snippet from inbound_messages where account_id = ${account}`,
    );
    expect(rows).toEqual(Array.from({ length: 3 }, () => ({ verdict: 'none of ours', sender: null, subject: null, snippet: null })));
    expect(await rowOf(installation.app, 'enrolments', mail.enrolmentId)).toMatchObject({ status: 'active' });
  });
});
