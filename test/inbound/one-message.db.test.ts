import { beforeAll, beforeEach, expect, it } from 'vitest';
import { MINUTE } from '../../src/core/clock.ts';
import { sql } from '../../src/db/statement.ts';
import { MailboxPoller } from '../../src/inbound/index.ts';
import { afterFile } from '../support/after-file.ts';
import { TEST_START, type TestInstallation, testInstallation } from '../support/database.ts';
import { type ImapServer, startImapServer } from '../support/imap-server.ts';
import { bounce, reply } from '../support/inbound-mail.ts';
import { mailboxAccount, PASSWORD, type SentMail, sentMail } from '../support/polled-mailbox.ts';
import { rowOf } from '../support/rows.ts';

/** D2.12: a message that reaches two of our mailboxes is one reply, one event, one effect. Two messages with one Message-ID are two. */

const [ZOE, YAN] = ['zoe@example.com', 'yan@example.com'];
let installation: TestInstallation;
let server: ImapServer;
let zoe: number;
let yan: number;

beforeAll(async () => {
  installation = await testInstallation();
  server = await startImapServer({ users: { [ZOE]: PASSWORD, [YAN]: PASSWORD } });
  afterFile(() => server.close());
  zoe = await mailboxAccount(installation.app, server.port, ZOE);
  yan = await mailboxAccount(installation.app, server.port, YAN);
});
beforeEach(() => installation.clock.set(TEST_START));

async function poll(accountId: number): Promise<void> {
  installation.clock.advance(MINUTE);
  expect(await new MailboxPoller(installation.app).poll(accountId)).not.toBeNull();
}

/** Returns the number of replies and events of an enrolment, and its status. */
async function counts({ enrolmentId }: SentMail) {
  const [row] = await installation.app.db.query(sql`
    select (select count(*)::int from replies r where r.enrolment_id = e.id) as replies,
      (select count(*)::int from events v where v.enrolment_id = e.id and v.type in ('replied', 'bounced')) as events, e.status
    from enrolments e where e.id = ${enrolmentId}`);
  return row;
}

it('a reply to all that reaches two mailboxes is one reply and one event', async () => {
  const mail = await sentMail(installation, zoe);
  const raw = reply(mail, { To: `${ZOE}, ${YAN}` }, 'Yes, call me.');
  await server.append(ZOE, 'INBOX', `Received: from mx by zoe\r\n${raw}`);
  await server.append(YAN, 'INBOX', `Received: from mx by yan\r\n${raw}`);
  await poll(zoe);
  await poll(yan);
  expect(await counts(mail)).toEqual({ replies: 1, events: 1, status: 'replied' });
});

it('an answer to it that names it alone is of the conversation, in whichever mailbox it arrives', async () => {
  const mail = await sentMail(installation, zoe);
  const raw = reply(mail, { To: `${ZOE}, ${YAN}`, 'Message-ID': '<all@recipient.example>' }, 'Yes, call me.');
  for (const user of [ZOE, YAN]) await server.append(user, 'INBOX', raw);
  await poll(zoe);
  await server.append(YAN, 'INBOX', reply(mail, { From: 'mary@elsewhere.example', 'In-Reply-To': '<all@recipient.example>' }, 'Me, too.'));
  await poll(yan);
  expect(await counts(mail)).toMatchObject({ replies: 2 });
});

it('replies of three contacts with one Message-ID are three', async () => {
  const mails = [await sentMail(installation, zoe), await sentMail(installation, zoe), await sentMail(installation, zoe)];
  for (const mail of mails) await server.append(ZOE, 'INBOX', reply(mail, { 'Message-ID': '<noreply@crm.test>' }));
  await poll(zoe);
  for (const mail of mails) expect(await counts(mail)).toEqual({ replies: 1, events: 1, status: 'replied' });
});

it('so are two replies of one contact, and bounces to three', async () => {
  const mail = await sentMail(installation, zoe);
  for (const words of ['Yes.', 'Please remove me from your list.'])
    await server.append(ZOE, 'INBOX', reply(mail, { 'Message-ID': '<one@crm.test>' }, words));
  const mails = [await sentMail(installation, zoe), await sentMail(installation, zoe), await sentMail(installation, zoe)];
  for (const each of mails) await server.append(ZOE, 'INBOX', bounce(each, { headers: { 'Message-ID': '<dsn@server.test>' } }));
  await poll(zoe);
  expect(await counts(mail)).toMatchObject({ replies: 2 });
  expect((await rowOf<{ stop_reason: string }>(installation.app, 'enrolments', mail.enrolmentId)).stop_reason).toBe('asked to be removed');
  for (const each of mails) expect(await counts(each)).toMatchObject({ status: 'bounced' });
});
