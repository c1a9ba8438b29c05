import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { App } from '../../src/app.ts';
import { changeCampaign, checkCampaign, suppressAddress } from '../../src/campaigns/index.ts';
import { sql } from '../../src/db/statement.ts';
import { MailboxPoller } from '../../src/inbound/index.ts';
import { type TestInstallation, testInstallation } from '../support/database.ts';
import type { ImapServer } from '../support/imap-server.ts';
import { bounce, message, reply } from '../support/inbound-mail.ts';
import type { SentMail } from '../support/polled-mailbox.ts';
import { enrolmentsOf, giveMailbox, type Sender, startMailServers, startSender } from '../support/sender.ts';
import type { SinkMessage, SmtpSink } from '../support/smtp-sink.ts';

/** Copies of each email of a campaign, to the addresses in `cc` and `bcc`: docs/sending.md. */

const BOSS = 'boss@partner.example';
const CRM = 'crm@inbox.example';
let installation: TestInstallation;
let app: App;
let sink: SmtpSink;
let imap: ImapServer;

beforeAll(async () => {
  installation = await testInstallation({ baseUrl: 'https://links.example.com' });
  ({ app } = installation);
  ({ sink, imap } = await startMailServers());
});
beforeEach(async () => {
  sink.behave();
  sink.messages.length = 0;
  await app.db.query(sql`delete from suppressions`);
});

const start = (campaign: object = {}) =>
  startSender(installation, sink, {
    campaign: { cc: [BOSS], bcc: [CRM], ...campaign },
    steps: [{ subject: 'Hello', body_html: '<p><a href="https://shop.example/">shop</a> <a href="{{unsubscribe_url}}">no more</a></p>' }],
    contacts: [{ name: 'Ada' }],
  });
const to = (address: string): SinkMessage | undefined => sink.messages.find((each) => each.to.includes(address));
const text = (each: SinkMessage | undefined) => String(each?.raw).replaceAll('=\r\n', '');
const recipients = () => sink.messages.map((each) => each.to.join());
const contactOf = async ({ contactIds }: Sender) =>
  (await app.db.query<{ email: string }>(sql`select email from contacts where id = ${contactIds[0]}`))[0]?.email ?? '';

describe('copies', () => {
  it('follow the email in transactions of their own: all see cc, nobody sees bcc', async () => {
    const sender = await start();
    expect(await sender.batch()).toMatchObject({ sent: 1 });
    const contact = await contactOf(sender);
    expect(recipients()).toEqual([contact, BOSS, CRM]);
    for (const each of sink.messages) {
      expect(each.headers.get('to')).toContain(contact);
      expect(each.headers.get('cc')).toBe(BOSS);
      expect(text(each)).not.toContain(CRM);
      expect(each.headers.get('message-id')).toBe(sink.messages[0]?.headers.get('message-id'));
    }
  });

  it('have links that neither count for the contact nor unsubscribe them', async () => {
    const sender = await start();
    await sender.batch();
    const [own, copy] = [text(to(await contactOf(sender))), text(to(BOSS))];
    expect(own).toMatch(/links\.example\.com\/c\//);
    expect(own).toMatch(/links\.example\.com\/u\//);
    expect(copy).not.toContain('links.example.com');
    expect(copy).toContain('https://shop.example/');
    expect(to(BOSS)?.headers.get('list-unsubscribe')).toMatch(/^<mailto:sender-[^,]*>$/);
  });

  it('are not sent of an email that its server refuses, and a copy that it refuses changes nothing', async () => {
    const refused = await start();
    sink.misbehave('rcpt', { code: 550, text: '5.1.1 no such user' }, { to: await contactOf(refused) });
    await refused.batch();
    expect(recipients()).toEqual([]);
    sink.behave();
    const sender = await start();
    sink.misbehave('rcpt', { code: 550, text: '5.1.1 no such user' }, { to: BOSS });
    expect(await sender.batch()).toMatchObject({ sent: 1 });
    expect(recipients()).toEqual([await contactOf(sender), CRM]);
    expect(await enrolmentsOf(installation, sender.campaignId)).toMatchObject([{ status: 'completed' }]);
  });

  it('go to no suppressed address, which no header names; a check says so', async () => {
    const sender = await start();
    await suppressAddress(app, installation.caller, { email: BOSS, reason: null });
    await sender.batch();
    expect(recipients()).toEqual([await contactOf(sender), CRM]);
    expect(sink.messages.some((each) => each.headers.has('cc'))).toBe(false);
    const warnings = await checkCampaign(app, installation.caller, sender.campaignId);
    expect(warnings).toContainEqual(
      expect.objectContaining({ code: 'copies_suppressed', message: `${BOSS} is suppressed and gets no copies` }),
    );
  });

  it('go to nobody twice', async () => {
    const sender = await start();
    const contact = await contactOf(sender);
    await changeCampaign(app, installation.caller, sender.campaignId, { cc: [contact.toUpperCase()] });
    await sender.batch();
    expect(recipients()).toEqual([contact, CRM]);
    const change = (patch: object) => changeCampaign(app, installation.caller, sender.campaignId, patch);
    await expect(change({ cc: [BOSS, 'Boss@partner.example'] })).rejects.toMatchObject({
      message: expect.stringMatching(/^cc: .* two copies/),
    });
    await expect(change({ cc: [CRM] })).rejects.toMatchObject({ message: expect.stringMatching(/^bcc: .* two copies/) });
    await expect(change({ bcc: ['nobody'] })).rejects.toMatchObject({ message: expect.stringMatching(/^bcc: must be one email address/) });
  });
});

it('what comes back from a copy says nothing about the contact, and ends the copies alone', async () => {
  const sender = await start();
  const mailbox = await giveMailbox(installation, sender.accountId, imap.port);
  await sender.batch();
  const contact = await contactOf(sender);
  const mail = { messageId: to(contact)?.headers.get('message-id') ?? '', recipient: contact } as SentMail;
  const from = { From: `Boss <${BOSS}>`, To: mailbox };
  await imap.append(mailbox, 'INBOX', reply(mail, from, 'I talked to Ada last week.'));
  await imap.append(
    mailbox,
    'INBOX',
    reply(mail, { ...from, 'Auto-Submitted': 'auto-replied', Subject: 'Out of office' }, 'I am out of the office.'),
  );
  await imap.append(mailbox, 'INBOX', bounce({ ...mail, recipient: CRM }));
  expect(await new MailboxPoller(app).poll(sender.accountId)).not.toBeNull();
  const suppressed = async () =>
    (await app.db.query<{ email: string }>(sql`select email from suppressions order by email`)).map(({ email }) => email);
  const types = async () =>
    (
      await app.db.query<{ type: string }>(sql`select type from events where campaign_id = ${sender.campaignId} and in_feed order by id`)
    ).map(({ type }) => type);
  expect(await suppressed()).toEqual([CRM]);
  const [, ref = ''] = /unsubscribe-([^>?&]+)/.exec(to(BOSS)?.headers.get('list-unsubscribe') ?? '') ?? [];
  installation.clock.advance(600_000);
  await imap.append(mailbox, 'INBOX', message({ ...from, Subject: `unsubscribe-${ref}` }, 'unsubscribe'));
  await new MailboxPoller(app).poll(sender.accountId);
  expect(await suppressed()).toEqual([BOSS, CRM]);
  expect(await types()).toEqual(['enrolled', 'sent']);
  expect(await enrolmentsOf(installation, sender.campaignId)).toMatchObject([{ status: 'completed', hold_reason: null }]);
  const writers = await app.db.query<{ writer: string }>(sql`select distinct writer from inbound_messages where outbox_id is not null`);
  expect(writers).toEqual([{ writer: 'copied' }]);
});
