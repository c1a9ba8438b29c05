import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { SECOND } from '../../src/core/clock.ts';
import { unreadableTotal } from '../../src/core/metrics.ts';
import { sql } from '../../src/db/statement.ts';
import { countUnreadable, MailboxPoller } from '../../src/inbound/index.ts';
import { MessageReaders } from '../../src/mail/classify/index.ts';
import { type TestInstallation, testInstallation } from '../support/database.ts';
import { type ImapServer, startImapServer } from '../support/imap-server.ts';
import { message, reply } from '../support/inbound-mail.ts';
import { mailboxAccount, PASSWORD, type SentMail, sentMail } from '../support/polled-mailbox.ts';
import { rowOf } from '../support/rows.ts';

const ZOE = 'zoe@example.com';
const MEGABYTES = 17;
/** Readers with so little memory that thousands of parts, or a field of a megabyte, crash them. */
const readers = new MessageReaders({ megabytes: MEGABYTES, seconds: 60, readers: 2 });
let installation: TestInstallation;
let poller: MailboxPoller;
let server: ImapServer;
let zoe: number;

beforeAll(async () => {
  installation = await testInstallation();
  poller = new MailboxPoller(installation.app, { readers });
  server = await startImapServer({ users: { [ZOE]: PASSWORD } });
  zoe = await mailboxAccount(installation.app, server.port, ZOE);
});
afterAll(async () => {
  readers.close();
  await server?.close();
});
beforeEach(() => installation.clock.advance(600 * SECOND));

const receive = async (...raws: string[]) => {
  for (const raw of raws) await server.append(ZOE, 'INBOX', raw);
  return poller.poll(zoe);
};
const status = async (mail: SentMail) => (await rowOf<{ status: string }>(installation.app, 'enrolments', mail.enrolmentId)).status;
const latest = async () =>
  (
    await installation.app.db.query<{ verdict: string; sender: string | null; reasons: string[] }>(
      sql`select verdict, sender, reasons from inbound_messages order by id desc limit 1`,
    )
  )[0];
const tries = () => installation.app.db.query<{ tries: number }>(sql`select tries from reading_tries`);

const multipart = { 'Content-Type': 'multipart/mixed; boundary=b' };
const manyParts = `--b\r\n${'a:\r\n'.repeat(5)}\r\n`.repeat(2_850);
const hugeField = `\r\n--b\r\nContent-Type: text/plain; name=${'x'.repeat(1_000_000)}\r\n\r\n`;
const lines = (count: number) => Array.from({ length: count }, () => '> '.padEnd(900, 'x'));

it('a message that breaks its reader is quarantined, told, and never met again; the others in the mailbox are read', async () => {
  const [first, last] = [await sentMail(installation, zoe), await sentMail(installation, zoe)];
  const before = (await unreadableTotal.get()).values[0]?.value ?? 0;
  const bomb = message({ From: 'x@stranger.example', Subject: 'News', ...multipart }, manyParts);
  expect(await receive(reply(first), bomb, reply(last))).toEqual({ read: 2, matched: 2 });
  expect([await status(first), await status(last)]).toEqual(['replied', 'replied']);
  expect(await countUnreadable(installation.app.db, zoe)).toBe(1);
  expect((await unreadableTotal.get()).values[0]?.value).toBe(before + 1);
  const [row] = await installation.app.db.query(sql`select sender, subject, reasons from inbound_messages where verdict = 'unreadable'`);
  expect(row).toEqual({ sender: null, subject: null, reasons: [`reading it takes more than ${MEGABYTES} MB of memory`] });
  installation.clock.advance(600 * SECOND);
  expect(await poller.poll(zoe)).toEqual({ read: 0, matched: 0 });
  expect(await tries()).toEqual([]);
});

it('a removal request at the beginning of such a message has its effect', async () => {
  const mail = await sentMail(installation, zoe);
  const request = ['Please remove me from your list.', '', 'On Tuesday, 7 July 2026, Zoe wrote:', ...lines(90)].join('\r\n');
  expect(await receive(reply(mail, multipart, `--b\r\n\r\n${request}${hugeField}`))).toEqual({ read: 1, matched: 1 });
  expect(await status(mail)).toBe('stopped');
  expect(await latest()).toMatchObject({ verdict: 'unsubscribe_request', sender: mail.recipient });
});

it('a large message is read whole: what a server reports stands behind what it returns', async () => {
  const mail = await sentMail(installation, zoe);
  const late = [...lines(100), `Please remove me from your list.`].join('\r\n');
  expect(await receive(reply(mail, {}, late))).toEqual({ read: 1, matched: 1 });
  expect(await tries()).toEqual([]);
});

it.each([
  [1, 'its beginning is read', 'replied', 'reply'],
  [2, 'it is quarantined unread', 'active', 'unreadable'],
])('of a large message at which the daemon was killed %d times %s', async (count, _, state, verdict) => {
  const mail = await sentMail(installation, zoe);
  const uid = (await server.append(ZOE, 'INBOX', reply(mail, {}, ['Yes, let us talk.', 'On Tuesday, Zoe wrote:', ...lines(100)]))) ?? 0;
  await installation.app.db.query(sql`
    insert into reading_tries (account_id, folder, uid_validity, uid, tries)
    select account_id, folder, uid_validity, ${uid}, ${count} from mailbox_cursors where account_id = ${zoe} and folder = 'INBOX'`);
  await poller.poll(zoe);
  expect(await status(mail)).toBe(state);
  expect(await latest()).toMatchObject({ verdict });
  expect(await tries()).toEqual([]);
});
