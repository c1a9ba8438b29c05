import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { suppressAddress } from '../../src/campaigns/index.ts';
import { HOUR, MINUTE } from '../../src/core/clock.ts';
import { roomFor } from '../../src/core/room.ts';
import { sql } from '../../src/db/statement.ts';
import { wasAnswered } from '../../src/inbound/index.ts';
import { claimAnswer } from '../../src/outbox/index.ts';
import { dueAnswers, recoverOutbox, resolveOutbox } from '../../src/sending/index.ts';
import { wasFetched } from '../../src/tracking/index.ts';
import { createWebhook } from '../../src/webhooks/index.ts';
import type { ImapServer } from '../support/imap-server.ts';
import { bounce, reply } from '../support/inbound-mail.ts';
import { repliedContact } from '../support/replied-contact.ts';
import { insertAccount, insertRow } from '../support/rows.ts';
import { startMailServers } from '../support/sender.ts';
import { refusal, servedInstallation } from '../support/served.ts';
import type { SmtpSink } from '../support/smtp-sink.ts';

let installation: Awaited<ReturnType<typeof servedInstallation>>;
let imap: ImapServer;
let sink: SmtpSink;

beforeAll(async () => {
  installation = await servedInstallation({ webhooksAllowPrivate: true });
  ({ imap, sink } = await startMailServers());
});
beforeEach(() => {
  installation.clock.advance(2 * MINUTE);
  sink.behave();
  sink.messages.length = 0;
});

const replied = (account = {}, from: Record<string, string> = {}) => repliedContact({ installation, imap, sink }, { account, from });
const recover = () => recoverOutbox(installation.app, { wasFetched, wasAnswered });

describe('POST /replies/{id}/answer', () => {
  it('is sent at once in the thread, with the signature and the reply below; counted for the day and not for the campaign', async () => {
    const { app, api, caller, clock } = installation;
    const { id: hook } = await createWebhook(app, caller, { url: 'https://example.com/', types: ['reply.answered'] });
    const it = await replied();
    const template = await insertRow(app, 'templates', {
      ...{
        workspace_id: 1,
        name: 'S',
        type: 'signature',
        body_html: '<p>Zoe Miller, Sales</p>',
        created_by: 1,
        created_at: clock.now(),
        updated_at: clock.now(),
      },
    });
    await app.db.query(sql`update accounts set signature_template_id = ${template} where id = ${it.accountId}`);
    const queued = await it.answer({ text: 'Tuesday suits me.\n\nAt <ten>?' });
    expect(queued).toMatchObject({ status: 200, body: { is_read: true, answered_at: null } });
    expect(queued.body.thread.at(-1)).toMatchObject({
      type: 'answer',
      reply_id: it.id,
      to: it.mail.recipient,
      subject: 'Re: Hello',
      state: 'queued',
    });
    expect((await dueAnswers(app, roomFor(20))).map(({ id }) => id)).toEqual([it.accountId]);
    expect(await it.send()).toBe(1);
    expect(await it.send()).toBe(0);

    expect(sink.messages).toHaveLength(1);
    const [message] = sink.messages;
    const header = (name: string) => message?.headers.get(name) ?? '';
    expect(message).toMatchObject({ from: it.mailbox, to: [it.mail.recipient] });
    expect(header('subject')).toBe('Re: Hello');
    expect(header('in-reply-to')).toBe(`<their-${it.mail.enrolmentId}@recipient.example>`);
    expect(header('references').split(/\s+/)).toEqual([it.mail.messageId, `<their-${it.mail.enrolmentId}@recipient.example>`]);
    expect(message?.headers.has('list-unsubscribe')).toBe(false);
    const text = message?.raw.toString().replaceAll(/=\r\n/g, '') ?? '';
    expect(text).toMatch(
      /Tuesday suits me\.[\s\S]*At <ten>\?[\s\S]*Zoe Miller, Sales[\s\S]*Ada Lovelace[\s\S]*wrote:[\s\S]*Yes, let us talk\./,
    );
    expect(text).toContain('At &lt;ten&gt;?');

    const read = await it.read();
    expect(read).toMatchObject({ answered_at: expect.any(String), is_read: true });
    expect(read.thread.map(({ type, state }: { type: string; state: string }) => [type, state])).toEqual([
      ['step', null],
      ['reply', null],
      ['answer', 'sent'],
    ]);
    expect(read.thread.at(-1).text).toBe('Tuesday suits me.\n\nAt <ten>?\n\nZoe Miller, Sales');
    expect((await api.get(`/campaigns/${it.campaignId}/stats`)).body).toMatchObject({ sent: 1, replied: 1 });
    const [day] = await app.db.query(sql`select accepted from account_days where account_id = ${it.accountId}`);
    expect(day).toEqual({ accepted: 2 });
    const told = await app.db.query(sql`select data from webhook_deliveries where webhook_id = ${hook}`);
    expect(told).toMatchObject([{ data: { reply: { id: it.id, answered_at: expect.any(String) } } }]);
  });

  it('their answer to that is a reply again, by the Message-ID of ours, and a bounce of it is none of the campaign’s', async () => {
    const it = await replied();
    installation.clock.advance(MINUTE);
    await it.answer();
    await it.send();
    installation.clock.advance(MINUTE);
    const [{ message_id: messageId }] = (await installation.app.db.query(sql`select message_id from outbox where reply_id = ${it.id}`)) as [
      { message_id: string },
    ];
    const second = await it.receive(reply({ ...it.mail, messageId }, { 'Message-ID': '<second@recipient.example>' }, 'See you.'));
    expect(second).toBeGreaterThan(it.id);
    await installation.api.post(`/replies/${second}/answer`, { text: 'So do I.' });
    await it.send();
    // RFC 5322 §3.6.4: the whole chain, of both sides.
    expect(sink.messages.at(-1)?.headers.get('references')?.split(/\s+/)).toEqual([
      ...[it.mail.messageId, `<their-${it.mail.enrolmentId}@recipient.example>`, messageId, '<second@recipient.example>'],
    ]);
    expect((await installation.api.get(`/replies/${second}`)).body).toMatchObject({
      kind: 'reply',
      snippet: 'See you.',
      thread: { length: 5 },
    });
    await it.receive(bounce({ ...it.mail, messageId }));
    expect((await installation.api.get(`/campaigns/${it.campaignId}/stats`)).body).toMatchObject({ sent: 1, replied: 1, bounced: 0 });
  });

  it('a colleague who is answered stays a colleague, and the sequence of the contact goes on', async () => {
    const it = await replied({}, { From: 'Eve <eve@example.net>' });
    const { app } = installation;
    await app.db.query(sql`update replies set kind = 'colleague' where id = ${it.id}`);
    await app.db.query(sql`update outbox set recipient = 'ada@example.net' where enrolment_id = ${it.mail.enrolmentId}`);
    await app.db.query(sql`update contacts set email = 'ada@example.net' where id = ${it.contactIds[0]}`);
    await it.answer();
    await it.send();
    expect(sink.messages[0]?.to).toEqual(['eve@example.net']);
    const [{ message_id: messageId }] = (await app.db.query(sql`select message_id from outbox where reply_id = ${it.id}`)) as [
      { message_id: string },
    ];
    const second = await it.receive(reply({ ...it.mail, messageId }, { From: 'Eve <eve@example.net>' }, 'Ask Ada.'));
    expect((await installation.api.get(`/replies/${second}`)).body).toMatchObject({ kind: 'colleague' });
  });

  it('refuses a suppressed address unless told otherwise, at once and right before it is sent', async () => {
    const { app, caller } = installation;
    const it = await replied();
    await it.answer();
    await suppressAddress(app, caller, { email: it.mail.recipient, reason: 'by phone' });
    expect(await it.send()).toBe(0);
    expect((await it.read()).thread.at(-1)).toMatchObject({ state: 'failed', error: 'the address was suppressed' });
    expect(await it.answer()).toMatchObject(refusal(409, 'conflict', 'is suppressed'));
    expect((await it.answer({ text: 'All the same', even_if_suppressed: true })).status).toBe(200);
    expect(await it.send()).toBe(1);
    expect(sink.messages).toHaveLength(1);
  });

  it('"is never refused for the daily limit; it counts for the day": with the day full too, and campaigns send no more of it', async () => {
    const it = await replied({ daily_send_limit: 1 });
    expect((await it.answer({ text: 'See https://cal.example/anna?x=1 for a slot.' })).status).toBe(200);
    expect(await it.send()).toBe(1);
    expect(sink.messages.at(-1)?.raw.toString().replaceAll('=\r\n', '')).toContain('<a href=3D"https://cal.example/anna?x=3D1">');
    const [day] = await installation.app.db.query(sql`select accepted from account_days where account_id = ${it.accountId}`);
    expect(day).toEqual({ accepted: 2 });
  });

  it('waits until its time, if it has one', async () => {
    const { clock } = installation;
    const it = await replied();
    const send_at = new Date(clock.now().getTime() + HOUR).toISOString();
    expect((await it.answer({ text: 'Good morning.', send_at })).status).toBe(200);
    expect(await it.send()).toBe(0);
    expect((await it.read()).thread.at(-1)).toMatchObject({ type: 'answer', state: 'queued' });
    clock.advance(HOUR);
    expect(await it.send()).toBe(1);
    expect(await it.answer({ text: 'x', send_at: '2099-01-01T00:00:00Z' })).toMatchObject(refusal(400, 'invalid_request', 'a year ahead'));
    // As decisions G5 has it for starts_at: a slip in the date sends nothing at once.
    const past = { text: 'x', send_at: '2020-01-01T00:00:00Z' };
    expect(await it.answer(past)).toMatchObject(refusal(400, 'invalid_request', 'send_at: must be in the future'));
  });

  it('refuses both bodies, none, unsafe HTML, and an account that can’t send', async () => {
    const it = await replied();
    for (const body of [
      {},
      { text: 'a', body_html: '<p>b</p>' },
      { body_html: '<a href="javascript:x">y</a>' },
      { text: 'a', subject: 'x\r\nBcc: y' },
    ])
      expect((await it.answer(body)).status, JSON.stringify(body)).toBe(400);
    await it.answer();
    await it.send();
    await installation.api.post(`/accounts/${it.accountId}/pause`);
    expect(await it.answer()).toMatchObject(refusal(409, 'conflict', 'can’t send now'.replace('’', "'")));
    expect(sink.messages).toHaveLength(1);
  });

  it('with the same Idempotency-Key is queued once', async () => {
    const it = await replied();
    const key = { 'Idempotency-Key': `answer ${it.id}` };
    expect([(await it.answer(undefined, key)).status, (await it.answer(undefined, key)).status]).toEqual([200, 200]);
    expect(await it.answers()).toHaveLength(1);
  });
});

describe('an answer is never sent twice and never lost', () => {
  beforeAll(async () => {
    ({ imap, sink } = await startMailServers());
  });

  it('two workers at the same moment send one', async () => {
    const it = await replied();
    await it.answer();
    const sent = await Promise.all([it.send(), it.send(), it.send()]);
    expect(sent.reduce((sum, count) => sum + count, 0)).toBe(1);
    expect(sink.messages).toHaveLength(1);
  });

  it('claimed by a worker that died, it is due again; the sequence of its contact is left alone', async () => {
    const { app, clock } = installation;
    const it = await replied();
    const before = await it.enrolment();
    await it.answer();
    await claimAnswer(app.db, it.accountId, clock.now());
    await app.db.query(sql`update outbox set lease_until = now() - interval '1 minute' where reply_id = ${it.id}`);
    expect(await recover()).toMatchObject({ released: 1, unknown: 0 });
    expect(await it.send()).toBe(1);
    expect(sink.messages).toHaveLength(1);
    expect(await it.enrolment()).toEqual(before);
  });

  it('that the server may have is told, kept and not sent again; the Sent folder, their answer or a person settles it', async () => {
    const { app, caller } = installation;
    const it = await replied();
    sink.misbehave('data', 'drop', { times: 1 });
    await it.answer();
    expect(await it.send()).toBe(0);
    expect((await it.read()).thread.at(-1)).toMatchObject({ state: 'unknown' });
    expect(await recover()).toMatchObject({ confirmed: 0, unknown: 1 });
    expect(await it.send()).toBe(0);
    expect(await it.enrolment()).toMatchObject({ hold_reason: null });
    const [copy] = sink.messages;
    await imap.append(it.mailbox, 'Sent', copy?.raw ?? '', ['\\Seen']);
    expect(await recover()).toMatchObject({ confirmed: 1 });
    expect(await it.read()).toMatchObject({ answered_at: expect.any(String) });

    const other = await replied();
    sink.misbehave('data', 'drop', { times: 1 });
    await other.answer();
    await other.send();
    await recover();
    const [email] = await other.answers();
    await resolveOutbox(app, caller, email?.id ?? 0, 'resend');
    expect(await other.send()).toBe(1);
    expect(sink.messages.map((message) => message.headers.get('message-id'))).toEqual([
      expect.any(String),
      sink.messages[0]?.headers.get('message-id'),
    ]);
  });

  it('refused for now it is tried again; refused for good, or too often, it has failed with the words of the server', async () => {
    const { clock } = installation;
    const it = await replied();
    sink.misbehave('rcpt', { code: 451, text: '4.7.1 try again later' }, { times: 1 });
    await it.answer();
    expect(await it.send()).toBe(0);
    expect(await it.send()).toBe(0);
    clock.advance(HOUR);
    expect(await it.send()).toBe(1);
    sink.misbehave('rcpt', { code: 550, text: '5.1.1 no such user' }, { times: 1 });
    await it.answer();
    expect(await it.send()).toBe(0);
    expect((await it.read()).thread.at(-1)).toMatchObject({ state: 'failed', error: expect.stringContaining('no such user') });
    clock.advance(HOUR);
    expect(await it.send()).toBe(0);
    expect(sink.messages).toHaveLength(1);
    const [day] = await installation.app.db.query(sql`select accepted from account_days where account_id = ${it.accountId}`);
    expect(day).toEqual({ accepted: 2 });
  });

  it('standards §6: a refusal with 5.7.232 means the whole tenant, for an answer too', async () => {
    const { app } = installation;
    const it = await replied();
    const colleague = await insertAccount(app, { email: 'tenant@example.com', smtp: JSON.stringify({ host: '127.0.0.1' }) });
    sink.misbehave('data', { code: 550, text: '5.7.232 your tenant has exceeded its daily limit' }, { times: 1 });
    await it.answer();
    expect(await it.send()).toBe(0);
    const paused = await app.db.query(sql`select id, pause_reason from accounts where id in (${it.accountId}, ${colleague}) order by id`);
    expect(paused).toEqual([it.accountId, colleague].map((id) => ({ id, pause_reason: 'provider_limit' })));
  });

  it('is not sent while its account is paused, and goes when that resumes', async () => {
    const it = await replied();
    await it.answer();
    await installation.api.post(`/accounts/${it.accountId}/pause`);
    expect((await dueAnswers(installation.app, roomFor(20))).map(({ id }) => id)).not.toContain(it.accountId);
    expect(await it.send()).toBe(0);
    await installation.api.post(`/accounts/${it.accountId}/resume`);
    expect(await it.send()).toBe(1);
  });
});
