import { afterAll, beforeAll, expect, it } from 'vitest';
import { operator } from '../../src/access/index.ts';
import type { App } from '../../src/app.ts';
import { MINUTE } from '../../src/core/clock.ts';
import { sql } from '../../src/db/statement.ts';
import { MailboxPoller } from '../../src/inbound/index.ts';
import { erasePerson } from '../../src/maintenance/erase-person.ts';
import { getReply } from '../../src/replies/index.ts';
import { type TestInstallation, testInstallation } from '../support/database.ts';
import { type ImapServer, startImapServer } from '../support/imap-server.ts';
import { message, reply } from '../support/inbound-mail.ts';
import { mailboxAccount, PASSWORD, type SentMail, sentMail } from '../support/polled-mailbox.ts';
import { insertCampaign, rowOf } from '../support/rows.ts';

/** A reply is read together with the email that it answers. */

const ZOE = 'zoe@example.com';
const BODY = `<p>Hi {{first_name}},</p><p>would you have ten minutes for a call about the roof of your building?</p><p>Zoe</p>
  <p>Please remove me from your list: send me these words and you will not hear from me again.</p>`;
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

const sent = async (): Promise<SentMail> =>
  sentMail(installation, zoe, { campaignId: await insertCampaign(app, { account_id: zoe }, [{ subject: 'Hello', body_html: BODY }, {}]) });

/** Delivers this reply to an email. Returns the enrolment, true if the address is suppressed, and the reply as shown. */
async function answered(mail: SentMail, raw: string) {
  await server.append(ZOE, 'INBOX', raw);
  expect(await new MailboxPoller(app).poll(zoe)).not.toBeNull();
  installation.clock.advance(MINUTE);
  const { status } = await rowOf<{ status: string }>(app, 'enrolments', mail.enrolmentId);
  const suppressions = await app.db.query(sql`select from suppressions where email = ${mail.recipient} and removed_at is null`);
  const [row] = await app.db.query<{ id: number }>(sql`select id from replies where enrolment_id = ${mail.enrolmentId}`);
  const shown = row === undefined ? null : await getReply(app.db, operator(1), row.id);
  return { status, isSuppressed: suppressions.length > 0, kind: shown?.kind, text: shown?.text, own: shown?.own_text };
}

const QUOTED = [
  'Hi Ada,',
  '',
  'would you have ten minutes for a call about',
  'the roof of your building?',
  'Zoe',
  'Please remove me from your list: send me these words and you will not hear from me again.',
];

it('"our own footer, quoted, is read as their opt-out": cut, whatever stands above it', async () => {
  const mail = await sent();
  const result = await answered(mail, reply(mail, {}, ['Sure, sounds good. Thursday at 3?', '', ...QUOTED]));
  expect(result).toMatchObject({ status: 'replied', isSuppressed: false, kind: 'reply', own: 'Sure, sounds good. Thursday at 3?' });
  expect(result.text).toContain('Please remove me');
});

it('"no interested answer becomes anything else", with a footer wrapped at 40 columns, after the contact was erased', async () => {
  const mail = await sent();
  await erasePerson(app, operator(1), mail.recipient);
  const wrapped = QUOTED.join('\n')
    .replaceAll(/(.{1,40})(?:\s|$)/g, '$1\n')
    .split('\n');
  await server.append(ZOE, 'INBOX', reply(mail, {}, ['Sure, sounds good. Thursday at 3?', '', ...wrapped]));
  expect(await new MailboxPoller(app).poll(zoe)).not.toBeNull();
  const read = sql`select kind, own_text from replies where enrolment_id = ${mail.enrolmentId}`;
  expect(await app.db.query(read)).toEqual([{ kind: 'reply', own_text: expect.not.stringContaining('remove me') }]);
});

it('a request in our words, above the email, is theirs', async () => {
  const mail = await sent();
  const result = await answered(mail, reply(mail, {}, ['Please remove me from your list', '', ...QUOTED]));
  expect(result).toMatchObject({
    status: 'stopped',
    isSuppressed: true,
    kind: 'unsubscribe_request',
    own: 'Please remove me from your list',
  });
});

it.each([
  ['X-Spam-Flag', 'YES'],
  ['X-Spam-Status', 'Yes, score=6.1 required=5.0'],
  ['X-SES-Spam-Verdict', 'FAIL'],
  ['List-Unsubscribe', '<https://groups.example/u>'],
  ['Precedence', 'bulk'],
])('"proof id outweighs a filter\'s guess": %s', async (name, value) => {
  const mail = await sent();
  expect(await answered(mail, reply(mail, { [name]: value }, 'Yes, please call me tomorrow.'))).toMatchObject({
    status: 'replied',
    kind: 'reply',
    own: 'Yes, please call me tomorrow.',
  });
});

it('"what a recipient says always holds": in our thread by address and subject, too, though a filter marked it as spam', async () => {
  const mail = await sent();
  const raw = message({ From: mail.recipient, To: ZOE, Subject: 'Re: Hello', 'X-Spam-Flag': 'YES' }, ['Yes, please call me tomorrow.']);
  expect(await answered(mail, raw)).toMatchObject({ status: 'replied', kind: 'reply', own: 'Yes, please call me tomorrow.' });
});

it('the receipt of a help desk holds the sequence: it is no answer of a person', async () => {
  const mail = await sent();
  const lines = [
    '##- Please type your reply above this line -##',
    '',
    'Your request (12345) has been received and is being reviewed by our support staff.',
  ];
  expect(await answered(mail, reply(mail, {}, [...lines, '', 'To add additional comments, reply to this email.']))).toMatchObject({
    status: 'active',
    kind: 'auto_reply',
  });
});

it.each(['REQUEST', 'PUBLISH', 'COUNTER'])('"a REQUEST of the contact in our thread is the best reply there is": %s', async (method) => {
  const mail = await sent();
  const body = [
    '--b',
    'Content-Type: text/plain',
    '',
    'Great, here is an invitation for Thursday',
    '--b',
    `Content-Type: text/calendar; method=${method}`,
    '',
    'BEGIN:VCALENDAR',
    `METHOD:${method}`,
    'END:VCALENDAR',
    '--b--',
  ];
  const raw = reply(mail, { 'MIME-Version': '1.0', 'Content-Type': 'multipart/mixed; boundary=b' }, body);
  expect(await answered(mail, raw)).toMatchObject({ status: 'replied', kind: 'reply', own: 'Great, here is an invitation for Thursday' });
});

it('a challenge of a filter is shown and holds the sequence', async () => {
  const mail = await sent();
  const text = 'Votre message est en attente. Cliquez sur le lien pour vous authentifier: https://app.mailinblack.com/captcha/abc';
  expect(await answered(mail, reply(mail, {}, text))).toMatchObject({ status: 'active', kind: 'auto_reply' });
});

it('"a request to unsubscribe written below a phone\'s signature" counts, and is shown', async () => {
  const mail = await sent();
  const raw = reply(mail, {}, ['Sent from my iPhone', '', 'Please unsubscribe me.', '', '> On 26 Nov …']);
  expect(await answered(mail, raw)).toMatchObject({ isSuppressed: true, kind: 'unsubscribe_request', own: 'Please unsubscribe me.' });
});

it('a reply with nothing but our email shows it: own words are never empty', async () => {
  const mail = await sent();
  expect(await answered(mail, reply(mail, {}, QUOTED))).toMatchObject({ kind: 'reply', isSuppressed: false, own: QUOTED.join('\n') });
});
