import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { operator } from '../../src/access/index.ts';
import type { App } from '../../src/app.ts';
import { deleteContact } from '../../src/campaigns/index.ts';
import { MINUTE } from '../../src/core/clock.ts';
import { sql } from '../../src/db/statement.ts';
import { MailboxPoller } from '../../src/inbound/index.ts';
import { TEST_START, type TestInstallation, testInstallation } from '../support/database.ts';
import { type ImapServer, startImapServer } from '../support/imap-server.ts';
import { bounce, message, reply } from '../support/inbound-mail.ts';
import { mailboxAccount, PASSWORD, type SentMail, sentMail } from '../support/polled-mailbox.ts';
import { insertCampaign, rowOf } from '../support/rows.ts';

/**
 * Of two messages in one poll the stronger decides, whichever was read first: a removal request or a complaint before a reply, a
 * reply before another stop, a stop before a bounce. That holds for all that a message ends.
 */

const ZOE = 'zoe@example.com';
let installation: TestInstallation;
let app: App;
let server: ImapServer;
let zoe: number;

beforeAll(async () => {
  installation = await testInstallation();
  app = installation.app;
  server = await startImapServer({ users: { [ZOE]: PASSWORD } });
  zoe = await mailboxAccount(app, server.port, ZOE);
});
afterAll(() => server?.close());
beforeEach(() => installation.clock.set(TEST_START));

/** Delivers messages and polls them together; the next poll is a minute later. */
async function poll(...raws: string[]): Promise<void> {
  for (const raw of raws) await server.append(ZOE, 'INBOX', raw);
  expect(await new MailboxPoller(app).poll(zoe)).not.toBeNull();
  installation.clock.advance(MINUTE);
}

const stand = ({ enrolmentId }: SentMail) => rowOf<{ status: string; stop_reason: string | null }>(app, 'enrolments', enrolmentId);
const status = async (mail: SentMail) => (await stand(mail)).status;
const events = async ({ enrolmentId }: SentMail) =>
  (await app.db.query<{ type: string }>(sql`select type from events where enrolment_id = ${enrolmentId} and in_feed order by id`)).map(
    ({ type }) => type,
  );

const removal = (mail: SentMail) => reply(mail, {}, ['Please remove me from your list.']);
const refusedAsSpam = (mail: SentMail) => bounce(mail, { status: '5.7.1', diagnostic: '550 5.7.1 Message rejected as spam' });
const farewell = (mail: SentMail) =>
  reply(mail, { From: `Charles <charles@${mail.recipient.split('@')[1]}>` }, ['Ada Lovelace is no longer with the company.']);
const complaint = (mail: SentMail) =>
  message(
    {
      From: 'abuse@provider.example',
      Subject: 'Complaint about a message',
      'MIME-Version': '1.0',
      'Content-Type': 'multipart/report; report-type=feedback-report; boundary="f"',
    },
    [
      ...['--f', '', 'A person reported this email as spam.', '--f', 'Content-Type: message/feedback-report', ''],
      ...['Feedback-Type: abuse', 'User-Agent: Provider/1.0', 'Version: 1', `Original-Rcpt-To: ${mail.recipient}`, ''],
      ...['--f', 'Content-Type: text/rfc822-headers', '', `Message-ID: ${mail.messageId}`, '', '--f--'],
    ],
  );

/** Emails of two campaigns to one contact, and of the first campaign to a colleague. */
interface Mails {
  mail: SentMail;
  /** An email of another campaign to the same address. */
  other: SentMail;
  colleague: SentMail;
}

let companies = 0;

async function sent(enrolment: Record<string, unknown> = {}): Promise<Mails> {
  const campaignId = await insertCampaign(app, { account_id: zoe, stop_company: true }, [{ subject: 'Hello' }, {}, {}]);
  const domain = `acme-${++companies}.example`;
  const mail = await sentMail(installation, zoe, { campaignId, recipient: `ada@${domain}`, enrolment });
  const other = await sentMail(installation, zoe, { contactId: mail.contactId, recipient: mail.recipient });
  const colleague = await sentMail(installation, zoe, { campaignId, recipient: `bob@${domain}` });
  return { mail, other, colleague };
}

type Fact = (mails: Mails) => string;
/** The message about the email to the person, the one of another campaign, or the colleague's. */
const own =
  (of: (mail: SentMail) => string): Fact =>
  ({ mail }) =>
    of(mail);
const others =
  (of: (mail: SentMail) => string): Fact =>
  ({ other }) =>
    of(other);
const colleagues =
  (of: (mail: SentMail) => string): Fact =>
  ({ colleague }) =>
    of(colleague);

describe('two facts in one poll, whichever lies first in the mailbox', () => {
  const cases: [what: string, from: 'active' | 'completed', to: string, facts: Fact[]][] = [
    ['a reply and a bounce', 'active', 'replied', [own(reply), own(bounce)]],
    ['a removal request and a reply', 'active', 'stopped', [own(removal), own(reply)]],
    ['a removal request and a bounce', 'active', 'stopped', [own(removal), own(bounce)]],
    ['a removal request, a reply and a bounce', 'active', 'stopped', [own(removal), own(reply), own(bounce)]],
    ['a complaint and a bounce', 'active', 'stopped', [own(complaint), own(bounce)]],
    ['a complaint and a reply', 'active', 'stopped', [own(complaint), own(reply)]],
    ['a complaint, and the bounce of another email to the address', 'active', 'stopped', [own(complaint), others(bounce)]],
    ['a removal request, and the bounce of another email to the address', 'active', 'stopped', [own(removal), others(bounce)]],
    ['a bounce, and a removal request about another email', 'active', 'stopped', [own(bounce), others(removal)]],
    ['a reply, and a removal request about another email', 'active', 'stopped', [own(reply), others(removal)]],
    ['a reply, and a reply of somebody else at the company', 'active', 'replied', [own(reply), colleagues(reply)]],
    ['a bounce, and a reply of somebody else at the company', 'active', 'stopped', [own(bounce), colleagues(reply)]],
    ['a reply, and word that the contact has left', 'active', 'replied', [own(reply), own(farewell)]],
    ['a removal request and a bounce of the last email', 'completed', 'replied', [own(removal), own(bounce)]],
    ['a complaint and a bounce of the last email', 'completed', 'bounced', [own(complaint), own(bounce)]],
  ];
  it.each(cases)('%s, from %s: %s', async (_, from, to, facts) => {
    for (const order of [facts, facts.toReversed()]) {
      const mails = await sent({ status: from });
      await poll(...order.map((fact) => fact(mails)));
      expect(await status(mails.mail), order === facts ? 'in this order' : 'the other way round').toBe(to);
    }
  });

  it('each is logged all the same, and the stronger gives the reason', async () => {
    const { mail } = await sent();
    await poll(bounce(mail), removal(mail));
    expect((await events(mail)).toSorted()).toEqual(['bounced', 'replied', 'unsubscribed']);
    expect(await stand(mail)).toMatchObject({ status: 'stopped', stop_reason: 'asked to be removed' });
  });

  it('the third refusal that stops it and a reply: replied', async () => {
    for (const isReplyFirst of [true, false]) {
      const { mail } = await sent();
      const [second, third] = [
        await sentMail(installation, zoe, { ...mail, step: 2 }),
        await sentMail(installation, zoe, { ...mail, step: 3 }),
      ];
      await poll(refusedAsSpam(mail), refusedAsSpam(second));
      await poll(...(isReplyFirst ? [reply(third), refusedAsSpam(third)] : [refusedAsSpam(third), reply(third)]));
      expect(await status(mail)).toBe('replied');
    }
  });
});

it('in the next poll nothing is taken back: who was stopped, replied or bounced with others stays so', async () => {
  const [stopped, replied, bounced] = [await sent(), await sent(), await sent()];
  await poll(removal(stopped.mail), reply(replied.mail), bounce(bounced.other));
  await poll(reply(stopped.mail), removal(replied.mail), complaint(bounced.mail));
  const all = [stopped.mail, replied.mail, replied.colleague, bounced.mail];
  expect(await Promise.all(all.map(status))).toEqual(['stopped', 'replied', 'stopped', 'bounced']);
  const [row] = await app.db.query(sql`select reason from suppressions where email = ${replied.mail.recipient} and removed_at is null`);
  expect(row).toEqual({ reason: 'asked to be removed' });
});

it('the reply of a contact who was deleted meanwhile speaks for the company all the same', async () => {
  const { mail, colleague } = await sent();
  await deleteContact(app, operator(1), mail.contactId);
  await poll(reply(mail));
  expect(await stand(colleague)).toMatchObject({ status: 'stopped', stop_reason: 'somebody else at the company replied' });
});
