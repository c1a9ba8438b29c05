import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { App } from '../../src/app.ts';
import { changeCampaign, checkCampaign, suppressAddress } from '../../src/campaigns/index.ts';
import { DAY } from '../../src/core/clock.ts';
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
    steps: [
      { subject: 'Hello', body_html: '<p><a href="https://shop.example/">shop</a> <a href="{{unsubscribe_url}}">no more</a></p>' },
      { wait_days: 1 },
    ],
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
    }
  });

  it('have a Message-ID, ref, token and conversation of their own each (D2.7)', async () => {
    const sender = await start();
    await giveMailbox(installation, sender.accountId, imap.port);
    await sender.batch();
    const marks = sink.messages.map(({ headers }) => [
      headers.get('message-id')?.slice(1).split('@')[0],
      headers.get('x-entity-ref-id'),
      /unsubscribe-([^>?&]+)/.exec(headers.get('list-unsubscribe') ?? '')?.[1],
    ]);
    for (const [id, ref, token] of marks) expect([ref, token]).toEqual([id, id]);
    expect(new Set(marks.map(([id]) => id)).size).toBe(3);
    expect(new Set(sink.messages.map(({ headers }) => headers.get('thread-index'))).size).toBe(3);
    installation.clock.advance(DAY);
    sink.messages.length = 0;
    await sender.batch();
    expect(sink.messages.map(({ headers }) => headers.get('in-reply-to')?.slice(1).split('@')[0])).toEqual(marks.map(([id]) => id));
  });

  it('have links that neither count for the contact nor unsubscribe them', async () => {
    const sender = await start();
    await giveMailbox(installation, sender.accountId, imap.port);
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
    expect(await enrolmentsOf(installation, sender.campaignId)).toMatchObject([{ status: 'active' }]);
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

describe('D2.7: what comes back from a copy, or about it, concerns that address alone', () => {
  async function received() {
    const sender = await start();
    const mailbox = await giveMailbox(installation, sender.accountId, imap.port);
    await sender.batch();
    const contact = await contactOf(sender);
    const mailOf = (recipient: string) => ({ messageId: to(recipient)?.headers.get('message-id') ?? '', recipient }) as SentMail;
    const suppressed = async () =>
      (await app.db.query<{ email: string }>(sql`select email from suppressions order by email`)).map(({ email }) => email);
    return {
      ...{ contact, mailbox, mail: mailOf(contact), copy: mailOf(BOSS), crm: mailOf(CRM), suppressed },
      async receive(...raws: string[]) {
        installation.clock.advance(600_000);
        for (const raw of raws) await imap.append(mailbox, 'INBOX', raw);
        expect(await new MailboxPoller(app).poll(sender.accountId)).not.toBeNull();
      },
      /** Expects the contact to be unchanged, except for the given status and events. */
      async expectContact(status = 'active', ...logged: string[]) {
        const types = await app.db.query<{ type: string }>(sql`
          select type from events where campaign_id = ${sender.campaignId} and type not in ('enrolled', 'sent') and in_feed order by id`);
        expect(types.map(({ type }) => type)).toEqual(logged);
        expect(await enrolmentsOf(installation, sender.campaignId)).toMatchObject([{ status, hold_reason: null }]);
      },
    };
  }
  const token = ({ messageId }: SentMail) => messageId.slice(1, messageId.indexOf('@'));
  const lastWriter = async () =>
    (await app.db.query(sql`select writer, because from inbound_messages where outbox_id is not null order by id desc limit 1`))[0];

  it('its reader uses List-Unsubscribe from an alias: both get no more copies', async () => {
    const it = await received();
    await it.receive(
      message({ From: 'The Boss <the.boss@gmail.com>', To: it.mailbox, Subject: `unsubscribe-${token(it.copy)}` }, 'unsubscribe'),
    );
    expect(await it.suppressed()).toEqual([BOSS, 'the.boss@gmail.com']);
    await it.expectContact();
    expect(await lastWriter()).toEqual({ writer: 'copied', because: 'it answers a copy of the email' });
  });

  it('its reader asks to be removed in words, from the address or another', async () => {
    const it = await received();
    await it.receive(reply(it.copy, { From: 'boss@personal.example' }, 'Please remove me from your list.'));
    expect(await it.suppressed()).toEqual([BOSS, 'boss@personal.example']);
    await it.expectContact();
  });

  it('a bounce names the address to which it was forwarded', async () => {
    const it = await received();
    const returned = { 'Message-ID': it.copy.messageId, To: it.contact, Cc: BOSS, 'X-Entity-Ref-ID': token(it.copy) };
    await it.receive(bounce({ ...it.copy, recipient: 'boss.private@elsewhere.example' }, { returned }));
    expect(await it.suppressed()).toEqual([BOSS]);
    await it.expectContact();
  });

  it('answers and automatic answers, from the address that got it or any other', async () => {
    const it = await received();
    const automatic = { 'Auto-Submitted': 'auto-replied', Subject: 'Re: Hello' };
    await it.receive(
      reply(it.crm, { From: 'CRM Robot <no-reply@crm.example>', ...automatic }, 'Your email was logged.'),
      reply(it.copy, { From: 'The Boss <boss@personal.example>' }, 'I talked to Ada last week, good mail.'),
      reply(it.mail, { From: `Boss <${BOSS}>` }, 'I answer the email that Ada forwarded.'),
      reply(it.mail, { From: `Boss <${BOSS}>`, ...automatic, Subject: 'Out of office' }, 'I am out of the office.'),
    );
    expect(await it.suppressed()).toEqual([]);
    await it.expectContact();
  });

  it('soft bounces of copies are none of the contact: one of theirs is no third in a row', async () => {
    const it = await received();
    const full = { status: '4.2.2', diagnostic: '452 4.2.2 mailbox full' };
    for (const mail of [it.copy, it.crm, it.mail]) await it.receive(bounce(mail, full));
    await it.expectContact();
  });

  it('the contact, who answers the boss’s answer to all, has answered', async () => {
    const it = await received();
    await it.receive(reply(it.copy, { From: `Ada <${it.contact}>`, 'In-Reply-To': '<x@partner.example>', References: it.copy.messageId }));
    await it.expectContact('replied', 'replied');
  });

  it('a report that names nobody is nobody’s; one that names the contact is theirs', async () => {
    const it = await received();
    const original = [
      '----- Original message -----',
      `Message-ID: ${it.mail.messageId}`,
      `To: ${it.contact}`,
      `Cc: ${BOSS}`,
      'Subject: Hello',
      '',
    ];
    const words = ['Your message could not be delivered to one of the recipients: the mailbox does not exist.', ''];
    const from = { 'Return-Path': '<>', From: 'Mail Delivery Subsystem <MAILER-DAEMON@partner.example>', Subject: 'Undeliverable: Hello' };
    await it.receive(message(from, [...words, ...original]));
    expect(await it.suppressed()).toEqual([]);
    await it.expectContact();
    await it.receive(bounce(it.mail));
    await it.expectContact('bounced', 'bounced');
  });

  it('a domain in another spelling is the same address', async () => {
    const sender = await start({ cc: ['chef@bücher.example'], bcc: [] });
    const mailbox = await giveMailbox(installation, sender.accountId, imap.port);
    await sender.batch();
    const messageId = sink.messages[1]?.headers.get('message-id') ?? '';
    await imap.append(mailbox, 'INBOX', bounce({ messageId, recipient: 'chef@xn--bcher-kva.example' } as SentMail));
    await new MailboxPoller(app).poll(sender.accountId);
    expect((await enrolmentsOf(installation, sender.campaignId))[0]?.status).toBe('active');
    expect(await app.db.query(sql`select email from suppressions`)).toEqual([{ email: 'chef@bücher.example' }]);
  });
});
