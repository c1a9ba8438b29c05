import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { operator } from '../../src/access/index.ts';
import { setAccount } from '../../src/accounts/index.ts';
import { DAY, SECOND } from '../../src/core/clock.ts';
import { sql } from '../../src/db/statement.ts';
import { MailboxPoller } from '../../src/inbound/index.ts';
import { createWebhook, deleteWebhook } from '../../src/webhooks/index.ts';
import { type TestInstallation, testInstallation } from '../support/database.ts';
import { hasDovecot, type ImapServer, startImapServer } from '../support/imap-server.ts';
import { bounce, message, reply } from '../support/inbound-mail.ts';
import { dueMailboxes, mailboxAccount, PASSWORD, type SentMail, sentMail } from '../support/polled-mailbox.ts';
import { insertCampaign, insertRow, rowOf } from '../support/rows.ts';

const USERS = ['zoe@example.com', 'yan@example.com', 'replies@example.com', 'archived@example.com'];
let installation: TestInstallation;
let poller: MailboxPoller;
let server: ImapServer;
let zoe: number;
let yan: number;

beforeAll(async () => {
  installation = await testInstallation();
  poller = new MailboxPoller(installation.app);
  server = await startImapServer({ users: Object.fromEntries(USERS.map((user) => [user, PASSWORD])) });
  zoe = await mailboxAccount(installation.app, server.port, 'zoe@example.com');
  yan = await mailboxAccount(installation.app, server.port, 'yan@example.com');
});
afterAll(() => server?.close());
beforeEach(() => installation.clock.advance(600 * SECOND));

const status = async (mail: SentMail) => (await rowOf<{ status: string }>(installation.app, 'enrolments', mail.enrolmentId)).status;
const eventsOf = async (mail: SentMail) =>
  (
    await installation.app.db.query<{ type: string; step_order: number }>(
      sql`select type, step_order from events where enrolment_id = ${mail.enrolmentId} and in_feed order by id`,
    )
  ).map(({ type, step_order }) => `${type} ${step_order}`);
const suppressed = async (address: string) =>
  (
    await installation.app.db.query<{ reason: string }>(
      sql`select reason from suppressions where email = ${address} and removed_at is null`,
    )
  )[0]?.reason;
const inbound = (where = sql`true`) =>
  installation.app.db.query<{ verdict: string; enrolment_id: number | null; subject: string | null; snippet: string | null }>(
    sql`select verdict, enrolment_id, subject, snippet from inbound_messages where ${where} order by id`,
  );

/** Puts messages into Zoë's inbox and polls it. */
async function receive(...raws: string[]) {
  for (const raw of raws) await server.append('zoe@example.com', 'INBOX', raw);
  return poller.poll(zoe);
}

describe('a reply', () => {
  it('by In-Reply-To to our Message-ID: replied, with the event at the last step sent, and nothing waits any more', async () => {
    const mail = await sentMail(installation, zoe);
    expect(await receive(reply(mail))).toEqual({ read: 1, matched: 1 });
    expect(await rowOf(installation.app, 'enrolments', mail.enrolmentId)).toMatchObject({ status: 'replied', due_at: null });
    expect(await eventsOf(mail)).toEqual(['replied 1']);
    expect(await inbound(sql`enrolment_id = ${mail.enrolmentId}`)).toMatchObject([{ verdict: 'reply', snippet: 'Yes, let us talk.' }]);
  });

  it('is told to webhooks: the beginning of it, and the whole where that is asked for', async () => {
    const { app } = installation;
    const { id } = await createWebhook(app, operator(1), { url: 'https://example.com/hook', types: ['event.replied'], include_body: true });
    const mail = await sentMail(installation, zoe);
    await receive(reply(mail));
    const told = await app.db.query<{ data: object; reply_body: string }>(
      sql`select data, reply_body from webhook_deliveries where webhook_id = ${id}`,
    );
    expect(told).toMatchObject([
      {
        data: { event: { type: 'replied' }, contact: { email: mail.recipient }, reply_snippet: 'Yes, let us talk.' },
        reply_body: 'Yes, let us talk.',
      },
    ]);
    await deleteWebhook(app, operator(1), id);
  });

  it("to the provider's own Message-ID, where it rewrote ours", async () => {
    const mail = await sentMail(installation, zoe);
    await installation.app.db.query(
      sql`update outbox set provider_message_id = '<0100abc@email.amazonses.com>' where id = ${mail.outboxId}`,
    );
    await receive(reply(mail, { 'In-Reply-To': '<0100abc@email.amazonses.com>' }));
    expect(await status(mail)).toBe('replied');
  });

  it('else by sender and subject within 60 days, not later and not under another subject', async () => {
    const mail = await sentMail(installation, zoe, { subject: 'Your roof' });
    const old = await sentMail(installation, zoe, { subject: 'Old', at: new Date(installation.clock.now().getTime() - 61 * DAY) });
    const without = { 'In-Reply-To': '<unknown@x.example>' };
    await receive(reply(mail, { ...without, Subject: 'AW: Something else' }), reply(old, { ...without, Subject: 'Re: Old' }));
    expect([await status(mail), await status(old)]).toEqual(['active', 'active']);
    await receive(reply(mail, { ...without, Subject: 'AW: [EXTERNAL] Your roof' }));
    expect(await status(mail)).toBe('replied');
  });

  it('of a same-domain colleague is recorded on the thread and ends the sequence (D2.4)', async () => {
    const mail = await sentMail(installation, zoe);
    await receive(reply(mail, { From: 'Charles Babbage <charles@recipient.example>' }));
    expect([await status(mail), await eventsOf(mail)]).toEqual(['replied', ['replied 1']]);
    expect(await inbound(sql`enrolment_id = ${mail.enrolmentId}`)).toMatchObject([{ verdict: 'reply' }]);
  });

  it('after the last step: completed becomes replied; after a bounce too, and the suppression is kept', async () => {
    const done = await sentMail(installation, zoe, { enrolment: { status: 'completed', due_at: null } });
    const bounced = await sentMail(installation, zoe);
    await receive(bounce(bounced), reply(done));
    expect([await status(done), await status(bounced)]).toEqual(['replied', 'bounced']);
    await receive(reply(bounced));
    expect([await status(bounced), await suppressed(bounced.recipient)]).toEqual(['replied', 'bounce']);
  });

  it('to somebody who was stopped: the status is unchanged, the event is still recorded', async () => {
    const mail = await sentMail(installation, zoe, { enrolment: { status: 'stopped', due_at: null } });
    await receive(reply(mail));
    expect([await status(mail), await eventsOf(mail)]).toEqual(['stopped', ['replied 1']]);
  });
});

describe('an automatic reply', () => {
  it('keeps the enrolment active and holds it to the return date plus one business day, without an event', async () => {
    const mail = await sentMail(installation, zoe);
    const notice = { Subject: 'Automatic reply: Hello', 'Auto-Submitted': 'auto-replied' };
    await receive(reply(mail, notice, 'I am out of the office until Friday, 17 July 2026.'));
    expect(await rowOf(installation.app, 'enrolments', mail.enrolmentId)).toMatchObject({
      status: 'active',
      held_until: new Date('2026-07-20T00:00:00Z'),
      hold_reason: 'auto-reply "Automatic reply: Hello"',
    });
    expect(await eventsOf(mail)).toEqual([]);
  });

  it('without a date: seven days; without In-Reply-To: by its sender; a longer hold of a person stays', async () => {
    const held = new Date('2026-12-24T00:00:00Z');
    const [mail, kept] = [await sentMail(installation, zoe), await sentMail(installation, zoe, { enrolment: { held_until: held } })];
    const notice = { Subject: 'Out of office', 'In-Reply-To': '' };
    await receive(reply(mail, notice, 'I am away.'), reply(kept, notice, 'I am away.'));
    const week = new Date(installation.clock.now().getTime() + 7 * DAY);
    expect(await rowOf(installation.app, 'enrolments', mail.enrolmentId)).toMatchObject({ held_until: week, status: 'active' });
    expect(await rowOf(installation.app, 'enrolments', kept.enrolmentId)).toMatchObject({ held_until: held });
  });
});

describe('a request to be removed', () => {
  it('stops, with events replied and unsubscribed, and suppresses the address', async () => {
    const mail = await sentMail(installation, zoe);
    const other = await sentMail(installation, zoe, { contactId: mail.contactId, recipient: mail.recipient });
    await receive(reply(mail, {}, ['Please remove me from your list.', '', '> Hello']));
    expect([await status(mail), await eventsOf(mail)]).toEqual(['stopped', ['replied 1', 'unsubscribed 1']]);
    expect([await suppressed(mail.recipient), await status(other), await eventsOf(other)]).toEqual(['asked to be removed', 'stopped', []]);
  });

  it('comes to the address in List-Unsubscribe with a subject of its own', async () => {
    const mail = await sentMail(installation, zoe);
    await receive(message({ From: mail.recipient, Subject: 'unsubscribe' }, ''));
    expect([await status(mail), await suppressed(mail.recipient)]).toEqual(['stopped', 'asked to be removed']);
  });

  it('a complaint that the provider passes on does the same, without a reply', async () => {
    const mail = await sentMail(installation, zoe);
    const body = ['--f', '', 'An abuse report', '--f', 'Content-Type: message/feedback-report', '', 'Feedback-Type: abuse', ''];
    const original = [
      '--f',
      'Content-Type: message/rfc822',
      '',
      `Message-ID: ${mail.messageId}`,
      `To: ${mail.recipient}`,
      '',
      'Hi',
      '--f--',
    ];
    await receive(
      message({ From: 'staff@provider.example', 'Content-Type': 'multipart/report; report-type=feedback-report; boundary=f' }, [
        ...body,
        ...original,
      ]),
    );
    expect([await status(mail), await eventsOf(mail), await suppressed(mail.recipient)]).toEqual([
      'stopped',
      ['unsubscribed 1'],
      'complained',
    ]);
  });
});

describe('a bounce', () => {
  it('hard: bounced with an event at the step of the mail; the address is suppressed, its other enrolments bounce without one', async () => {
    const mail = await sentMail(installation, zoe, { enrolment: { last_sent_step: 2, current_step: 3 } });
    const other = await sentMail(installation, zoe, { contactId: mail.contactId, recipient: mail.recipient });
    const bounces = () =>
      installation.app.db.query<{ count: number }>(sql`select coalesce(sum(bounced), 0)::int as count from account_days`);
    const [before] = await bounces();
    await receive(bounce(mail), bounce(mail));
    expect([await status(mail), await eventsOf(mail)]).toEqual(['bounced', ['bounced 1']]);
    // Although it is reported twice, it is one bounce in the account's bounce rate.
    expect(await bounces()).toEqual([{ count: (before?.count ?? 0) + 1 }]);
    expect([await suppressed(mail.recipient), await status(other), await eventsOf(other)]).toEqual(['bounce', 'bounced', []]);
  });

  it('for the last mail of a completed sequence: bounced', async () => {
    const mail = await sentMail(installation, zoe, { enrolment: { status: 'completed', due_at: null } });
    await receive(bounce(mail));
    expect(await status(mail)).toBe('bounced');
  });

  it('soft: stays active; the third in a row bounces; one mail that got through in between starts the count anew', async () => {
    const full = { status: '5.2.2', diagnostic: '552 5.2.2 Mailbox full' };
    const first = await sentMail(installation, zoe);
    const next = async (step: number) => sentMail(installation, zoe, { ...first, step, at: installation.clock.now() });
    const receiveFull = async (mail: SentMail) => {
      installation.clock.advance(60 * SECOND);
      await receive(bounce(mail, full));
      installation.clock.advance(60 * SECOND);
    };
    await receiveFull(first);
    await receiveFull(await next(2));
    expect([await status(first), await eventsOf(first)]).toEqual(['active', []]);
    await receiveFull(await next(3));
    expect([await status(first), await eventsOf(first)]).toEqual(['bounced', ['bounced 3']]);
    expect(await suppressed(first.recipient)).toBeUndefined();
  });

  it('that blames us (5.7.x): event failed, the contact stays active; a limit of our provider pauses the account that sent', async () => {
    const mail = await sentMail(installation, zoe);
    await receive(bounce(mail, { status: '5.7.1', diagnostic: '550 5.7.1 Message rejected as spam' }));
    expect([await status(mail), await eventsOf(mail)]).toEqual(['active', ['failed 1']]);
    const limited = await sentMail(installation, yan);
    await server.append(
      'yan@example.com',
      'INBOX',
      bounce(limited, { status: '5.4.5', diagnostic: '550 5.4.5 Daily user sending limit exceeded' }),
    );
    await poller.poll(yan);
    expect(await rowOf(installation.app, 'accounts', yan)).toMatchObject({ status: 'paused', pause_reason: 'provider_limit' });
    expect(await status(limited)).toBe('active');
    await installation.app.db.query(sql`update accounts set status = 'active', pause_reason = null where id = ${yan}`);
  });

  it('delayed or delivered: no state change', async () => {
    const mail = await sentMail(installation, zoe);
    await receive(bounce(mail, { action: 'delayed', status: '4.4.1' }), bounce(mail, { action: 'relayed', status: '2.0.0' }));
    expect([await status(mail), await eventsOf(mail)]).toEqual(['active', []]);
  });

  it('that shows only our mark X-Entity-Ref-ID is known by it', async () => {
    const mail = await sentMail(installation, zoe);
    const mark = mail.messageId.slice(1, mail.messageId.indexOf('@'));
    await receive(bounce(mail, { returned: { 'Message-ID': '<rewritten@provider.example>', 'X-Entity-Ref-ID': mark } }));
    expect(await status(mail)).toBe('bounced');
  });

  it('that shows nothing of our mail counts only when exactly one went to the address in the last seven days', async () => {
    const [one, old] = [
      await sentMail(installation, zoe),
      await sentMail(installation, zoe, { at: new Date(installation.clock.now().getTime() - 8 * DAY) }),
    ];
    const two = await sentMail(installation, zoe);
    await sentMail(installation, zoe, { contactId: two.contactId, recipient: two.recipient });
    await receive(...[one, old, two].map((mail) => bounce(mail, { returned: null })));
    expect([await status(one), await status(old), await status(two)]).toEqual(['bounced', 'active', 'active']);
  });
});

describe('what is forged or foreign', () => {
  it('a bounce in one mailbox that only names the recipient never touches emails that another one sent', async () => {
    const mail = await sentMail(installation, yan);
    await receive(bounce(mail, { returned: null }), reply(mail, { 'In-Reply-To': '<forged@x.example>' }));
    expect([await status(mail), await eventsOf(mail)]).toEqual(['active', []]);
    expect((await inbound()).at(-1)).toMatchObject({ verdict: 'none of ours', enrolment_id: null, subject: null, snippet: null });
  });

  it('the same address in another workspace is left alone', async () => {
    const workspaceId = await insertRow(installation.app, 'workspaces', { name: 'Other', created_at: new Date(), updated_at: new Date() });
    const foreign = await mailboxAccount(installation.app, server.port, 'zoe@example.com', { workspace_id: workspaceId });
    const mail = await sentMail(installation, foreign, {
      campaignId: await insertCampaign(installation.app, { account_id: foreign, workspace_id: workspaceId }),
    });
    await receive(reply(mail));
    expect(await status(mail)).toBe('active');
  });

  it('a campaign whose reply address is not connected has no reply and bounce events, and what arrives ends the sequence all the same', async () => {
    const campaignId = await insertCampaign(installation.app, { account_id: zoe, reply_to: 'boss@elsewhere.example' }, [{}]);
    const [mail, other] = [await sentMail(installation, zoe, { campaignId }), await sentMail(installation, zoe, { campaignId })];
    await receive(reply(mail), bounce(other));
    expect([await status(mail), await status(other)]).toEqual(['replied', 'bounced']);
    expect([await eventsOf(mail), await eventsOf(other)]).toEqual([[], []]);
    expect(await suppressed(other.recipient)).toBe('bounce');
  });

  it('with another connected reply address, replies are read there and bounces where the mail came from', async () => {
    const replies = await mailboxAccount(installation.app, server.port, 'replies@example.com');
    const campaignId = await insertCampaign(installation.app, { account_id: zoe, reply_to: 'replies@example.com' }, [{}]);
    const [mail, other] = [await sentMail(installation, zoe, { campaignId }), await sentMail(installation, zoe, { campaignId })];
    await server.append('replies@example.com', 'INBOX', reply(mail));
    await poller.poll(replies);
    await receive(bounce(other));
    expect([await status(mail), await status(other)]).toEqual(['replied', 'bounced']);
  });
});

describe('reading the mailbox', () => {
  it('acts once on the same message: read again, in two folders, and under a new UIDVALIDITY', async () => {
    const mail = await sentMail(installation, zoe);
    const raw = reply(mail);
    await server.append('zoe@example.com', 'Junk', raw);
    await receive(raw);
    await server.renewUidValidity('zoe@example.com', 'INBOX');
    const late = await sentMail(installation, zoe);
    await receive(reply(late));
    expect([await eventsOf(mail), await eventsOf(late)]).toEqual([['replied 1'], ['replied 1']]);
    expect(await receive()).toEqual({ read: 0, matched: 0 });
  });

  it('acts once on a message without a Message-ID', async () => {
    const mail = await sentMail(installation, zoe);
    const raw = reply(mail).replace(/^Message-ID: .*\r\n/m, '');
    await receive(raw, raw);
    expect(await eventsOf(mail)).toEqual(['replied 1']);
  });

  it('finds what the provider took for spam', async () => {
    const mail = await sentMail(installation, zoe);
    await server.append('zoe@example.com', 'Junk', reply(mail));
    await poller.poll(zoe);
    expect(await status(mail)).toBe('replied');
  });

  it('C1.9: reads the folders that the account names', async () => {
    const mail = await sentMail(installation, zoe);
    await server.append('zoe@example.com', 'Drafts', reply(mail));
    await poller.poll(zoe);
    expect(await status(mail)).toBe('active');
    await setAccount(installation.app, operator(1), zoe, { folders: 'Drafts, Gone' });
    await poller.poll(zoe);
    expect(await status(mail)).toBe('replied');
    await setAccount(installation.app, operator(1), zoe, { folders: null });
  });

  it('never marks, moves or deletes anything', async () => {
    await receive(message({ From: 'ada@x.example', Subject: 'Unread' }));
    const found = await server.messages('zoe@example.com', 'INBOX');
    expect(found.length).toBeGreaterThan(0);
    expect(found.flatMap(({ flags }) => [...flags]).filter((flag) => flag !== '\\Recent')).toEqual([]);
  });

  it('takes an empty mailbox', async () => {
    const users = await mailboxAccount(installation.app, server.port, 'yan@example.com', {
      workspace_id: await insertRow(installation.app, 'workspaces', { name: 'Empty', created_at: new Date(), updated_at: new Date() }),
    });
    expect(await poller.poll(users)).not.toBeNull();
  });

  it('a message that says nonsense in every field is passed by', async () => {
    const mail = await sentMail(installation, zoe);
    const nonsense = Buffer.concat([
      // Hoodiecrow does not accept NUL.
      Buffer.from(
        `From: ${hasDovecot ? '\0' : ''}\xff <\r\nSubject: =?utf-8?B?AAAA?=\r\nContent-Type: multipart/mixed; boundary\r\n\r\n--`,
      ),
      Buffer.alloc(2_000, 0xfe),
    ]);
    await server.append('zoe@example.com', 'INBOX', nonsense);
    await receive(reply(mail));
    expect(await status(mail)).toBe('replied');
  });

  it('only one daemon reads a mailbox at a time', async () => {
    await installation.app.db.query(
      sql`update accounts set poll_worker = 'other', poll_lease_until = now() + interval '1 minute' where id = ${zoe}`,
    );
    expect(await poller.poll(zoe)).toBeNull();
    await installation.app.db.query(sql`update accounts set poll_worker = null, poll_lease_until = null where id = ${zoe}`);
    expect(await poller.poll(zoe)).not.toBeNull();
  });

  it('a mailbox that does not answer is noted and tried later, longer each time; then it is read and the note goes', async () => {
    const lost = await mailboxAccount(installation.app, 1, 'lost@example.com');
    expect(await poller.ensurePolled([lost, zoe])).toEqual([lost]);
    const row = await rowOf<{ poll_error: string; next_poll_at: Date; last_polled_at: Date | null }>(installation.app, 'accounts', lost);
    expect(row).toMatchObject({ poll_error: expect.stringMatching(/ECONNREFUSED/), last_polled_at: null });
    expect(row.next_poll_at.getTime() - installation.clock.now().getTime()).toBe(120 * SECOND);
    await installation.app.db.query(
      sql`update accounts set last_polled_at = ${new Date(installation.clock.now().getTime() - 1_000 * SECOND)} where id = ${lost}`,
    );
    await poller.poll(lost);
    const later = await rowOf<{ next_poll_at: Date }>(installation.app, 'accounts', lost);
    expect(later.next_poll_at.getTime() - installation.clock.now().getTime()).toBe(500 * SECOND);
  });
});

describe('whose mailbox is due', () => {
  it('B11: that of an archived account too, for 180 days after its last email (D2.8)', async () => {
    const archived = await mailboxAccount(installation.app, server.port, 'archived@example.com', {
      is_archived: true,
      last_batch_at: new Date(installation.clock.now().getTime() - DAY),
    });
    expect(await dueMailboxes(installation.app)).toContain(archived);
    const mail = await sentMail(installation, archived);
    await server.append('archived@example.com', 'INBOX', reply(mail));
    await poller.poll(archived);
    expect(await status(mail)).toBe('replied');
    await installation.app.db.query(sql`update campaigns set status = 'draft' where account_id = ${archived}`);
    installation.clock.advance(178 * DAY);
    expect(await dueMailboxes(installation.app)).toContain(archived);
    installation.clock.advance(3 * DAY);
    expect(await dueMailboxes(installation.app)).not.toContain(archived);
    installation.clock.advance(-181 * DAY);
    await installation.app.db.query(sql`update accounts set deleted_at = now() where id = ${archived}`);
  });

  it('the effective reply address of running campaigns, when its time has come', async () => {
    const idle = await mailboxAccount(installation.app, server.port, 'idle@example.com');
    await installation.app.db.query(sql`update accounts set next_poll_at = null`);
    await sentMail(installation, zoe);
    await installation.app.db.query(sql`update accounts set last_batch_at = ${installation.clock.now()} where id = ${zoe}`);
    expect(await dueMailboxes(installation.app)).toContain(zoe);
    expect(await dueMailboxes(installation.app)).not.toContain(idle);
    await poller.poll(zoe);
    expect(await dueMailboxes(installation.app)).not.toContain(zoe);
    installation.clock.advance(120 * SECOND);
    expect(await dueMailboxes(installation.app)).toContain(zoe);
  });

  it('ensurePolled reads only what was not read within the poll interval', async () => {
    await poller.poll(zoe);
    const before = await rowOf<{ last_polled_at: Date }>(installation.app, 'accounts', zoe);
    installation.clock.advance(60 * SECOND);
    expect(await poller.ensurePolled([zoe])).toEqual([]);
    expect((await rowOf<{ last_polled_at: Date }>(installation.app, 'accounts', zoe)).last_polled_at).toEqual(before.last_polled_at);
    installation.clock.advance(120 * SECOND);
    expect(await poller.ensurePolled([zoe])).toEqual([]);
    expect((await rowOf<{ last_polled_at: Date }>(installation.app, 'accounts', zoe)).last_polled_at).toEqual(installation.clock.now());
  });
});
