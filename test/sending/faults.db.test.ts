import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { connectAccount } from '../../src/accounts/index.ts';
import { activateCampaign, addStep, createCampaign, enrol } from '../../src/campaigns/index.ts';
import { HOUR, MINUTE } from '../../src/core/clock.ts';
import { sql } from '../../src/db/statement.ts';
import { wasAnswered } from '../../src/inbound/index.ts';
import { parseMailUrl } from '../../src/mail/mail-url.ts';
import { type BatchRunner, recoverOutbox, resolveOutbox, resumeLimitedAccounts } from '../../src/sending/index.ts';
import { wasFetched } from '../../src/tracking/index.ts';
import { TEST_START, type TestInstallation, testInstallation } from '../support/database.ts';
import { insertContact } from '../support/rows.ts';
import { batchesOf } from '../support/sender.ts';
import { type SinkPhase, type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts';

let installation: TestInstallation;
let batches: BatchRunner;
let sink: SmtpSink;
let made = 0;

beforeAll(async () => {
  installation = await testInstallation();
  batches = batchesOf(installation.app);
  sink = await startSmtpSink({ users: { me: 'secret' } });
});
afterAll(() => sink?.close());
beforeEach(() => {
  installation.clock.set(TEST_START);
  sink.behave();
  sink.messages.length = 0;
});

/** Creates an active campaign of one step with `contacts` contacts, on its own account. */
async function campaignOf(contacts: number, body = '<p>Hello {{name}}</p>') {
  const { app, caller } = installation;
  const email = `sender${++made}@example.com`;
  const account = await connectAccount(app, caller, {
    email,
    provider: 'smtp',
    smtp: { server: parseMailUrl(`smtp://me@127.0.0.1:${sink.port}`, 'smtp').server, secret: { pass: 'secret' } },
    settings: { send_batch_min: 10, send_batch_max: 10 },
  });
  const campaign = await createCampaign(app, caller, { name: email, account_id: account.id });
  await addStep(app, caller, campaign.id, {
    subject: 'Hello',
    body_html: body,
    subject_b: null,
    body_html_b: null,
    wait_days: 0,
    kind: 'email',
  });
  const ids: number[] = [];
  for (let index = 0; index < contacts; index++) ids.push(await insertContact(app, { email: `r${made}-${index}@example.org` }));
  await enrol(app, caller, campaign.id, { contact_ids: ids });
  await activateCampaign(app, caller, campaign.id, null);
  return { accountId: account.id, campaignId: campaign.id };
}

const batch = (accountId: number) => batches.run(accountId);

async function enrolments(campaignId: number) {
  return installation.app.db.query<{
    id: number;
    status: string;
    due_at: string | null;
    hold_reason: string | null;
    content_fault: string | null;
    stop_reason: string | null;
  }>(sql`select id, status, due_at, hold_reason, content_fault, stop_reason from enrolments where campaign_id = ${campaignId} order by id`);
}

async function accountOf(id: number) {
  const [row] = await installation.app.db.query<{
    status: string;
    pause_reason: string | null;
    pause_message: string | null;
    sent: number;
  }>(sql`
    select status, pause_reason, pause_message, coalesce((select sum(accepted) from account_days d where d.account_id = a.id), 0)::int as sent
    from accounts a where id = ${id}`);
  return row;
}

const eventTypes = async (campaignId: number) =>
  (
    await installation.app.db.query<{ type: string }>(
      sql`select type from events where campaign_id = ${campaignId} and type <> 'enrolled' order by id`,
    )
  ).map((row) => row.type);

const dueIn = (due: string | null) => (new Date(due ?? 0).getTime() - installation.clock.now().getTime()) / MINUTE;

describe('an email that is accepted', () => {
  it('is sent once, counted for the account’s day, logged, and completes the campaign', async () => {
    const { accountId, campaignId } = await campaignOf(3);
    expect(await batch(accountId)).toEqual({ sent: 3, other: 0 });
    expect(sink.messages).toHaveLength(3);
    expect(await accountOf(accountId)).toMatchObject({ sent: 3 });
    expect(await eventTypes(campaignId)).toEqual(['sent', 'sent', 'sent']);
    expect(await batch(accountId)).toEqual({ sent: 0, other: 0 });
    const [campaign] = await installation.app.db.query<{ status: string }>(sql`select status from campaigns where id = ${campaignId}`);
    expect(campaign?.status).toBe('completed');
  });
});

describe('a reply about the recipient', () => {
  it('550 5.1.1 is a hard bounce: bounced, suppressed, and the batch continues', async () => {
    const { accountId, campaignId } = await campaignOf(3);
    sink.misbehave('rcpt', { code: 550, text: '5.1.1 The email account that you tried to reach does not exist' }, { times: 1 });
    expect(await batch(accountId)).toEqual({ sent: 2, other: 1 });
    expect((await enrolments(campaignId)).map((row) => row.status).sort()).toEqual(['bounced', 'completed', 'completed']);
    expect(await accountOf(accountId)).toMatchObject({ status: 'active', sent: 2 });
    const suppressed = await installation.app.db.query(
      sql`select 1 from suppressions where reason = 'bounce' and email like ${`r${made}-%`}`,
    );
    expect(suppressed).toHaveLength(1);
  });

  it.each([
    [450, '4.2.0 Greylisted, try again'],
    [452, '4.2.2 The email account that you tried to reach is over quota'],
    [421, '4.7.0 Try again later'],
  ])('%i %s is retried after 15 minutes, 1 hour, 4 hours', async (code, text) => {
    const { accountId, campaignId } = await campaignOf(1);
    for (const wait of [15, 60, 240]) {
      sink.misbehave('rcpt', { code, text }, { times: 1 });
      expect((await batch(accountId)).sent).toBe(0);
      const [row] = await enrolments(campaignId);
      expect(row?.status).toBe('active');
      expect(dueIn(row?.due_at ?? null)).toBe(wait);
      installation.clock.advance(wait * MINUTE);
      await installation.app.db.query(sql`update accounts set last_batch_at = null where id = ${accountId}`);
    }
    // Continue the next morning, because the account's window closes at 18:00.
    installation.clock.set('2026-07-08T09:00:00Z');
    expect((await batch(accountId)).sent).toBe(1);
  });
});

describe('a reply about the sender', () => {
  it('a sending limit pauses the account as provider_limit until its next local day; the step is not used up', async () => {
    const { accountId, campaignId } = await campaignOf(3);
    sink.misbehave('data', { code: 550, text: '5.4.5 Daily user sending limit exceeded' }, { times: 1 });
    expect(await batch(accountId)).toMatchObject({ sent: 0 });
    expect(await accountOf(accountId)).toMatchObject({ status: 'paused', pause_reason: 'provider_limit', sent: 0 });
    expect((await enrolments(campaignId)).every((row) => row.status === 'active')).toBe(true);
    installation.clock.advance(6 * HOUR);
    expect(await resumeLimitedAccounts(installation.app)).not.toContain(accountId);
    installation.clock.set('2026-07-08T09:00:00Z');
    expect(await resumeLimitedAccounts(installation.app)).toContain(accountId);
    expect(await batch(accountId)).toEqual({ sent: 3, other: 0 });
    expect(new Set(sink.messages.map((message) => message.to[0])).size).toBe(3);
  });

  it('a suspended sender pauses the account as provider_error with the text', async () => {
    const { accountId, campaignId } = await campaignOf(2);
    sink.misbehave('mail', { code: 550, text: '5.1.8 Access denied, bad outbound sender' });
    await batch(accountId);
    expect(await accountOf(accountId)).toMatchObject({
      status: 'paused',
      pause_reason: 'provider_error',
      pause_message: expect.stringContaining('bad outbound sender'),
    });
    expect(await eventTypes(campaignId)).toEqual([]);
    expect((await enrolments(campaignId)).every((row) => row.status === 'active' && row.due_at !== null)).toBe(true);
  });

  it.each<SinkPhase>(['mail', 'rcpt'])('a connection cut at %s is safe to repeat: the mail goes out once, later', async (phase) => {
    const { accountId } = await campaignOf(1);
    sink.misbehave(phase, 'close', { times: 1 });
    expect((await batch(accountId)).sent).toBe(0);
    installation.clock.advance(20 * MINUTE);
    expect((await batch(accountId)).sent).toBe(1);
    expect(sink.messages).toHaveLength(1);
    expect(await accountOf(accountId)).toMatchObject({ sent: 1 });
  });
});

describe('a connection lost after the final dot', () => {
  it('leaves the outcome unknown: the email is never resent automatically, and a person decides', async () => {
    const { accountId, campaignId } = await campaignOf(2);
    sink.misbehave('data', 'drop', { times: 1 });
    await batch(accountId);
    await recoverOutbox(installation.app, { wasFetched, wasAnswered });
    installation.clock.advance(HOUR);
    await batch(accountId);
    const perRecipient = new Map<string, number>();
    for (const { to } of sink.messages) perRecipient.set(to[0] ?? '', (perRecipient.get(to[0] ?? '') ?? 0) + 1);
    expect([...perRecipient.values()]).toEqual([1, 1]);
    const [unknown] = await installation.app.db.query<{ id: number; state: string }>(
      sql`select id, state from outbox where campaign_id = ${campaignId} and state <> 'accepted'`,
    );
    expect(unknown?.state).toBe('unknown');
    expect((await enrolments(campaignId)).filter((row) => row.status === 'active')).toMatchObject([{ hold_reason: 'delivery unknown' }]);
    await resolveOutbox(installation.app, installation.caller, unknown?.id ?? 0, 'sent');
    expect((await enrolments(campaignId)).every((row) => row.status === 'completed')).toBe(true);
    expect(await eventTypes(campaignId)).toEqual(['sent', 'sent']);
  });
});

describe('a database that can’t record that an email is about to be sent', () => {
  it('prevents sending while its disk is full; all emails are sent once it is not', async () => {
    const { app } = installation;
    const { accountId } = await campaignOf(3);
    await app.db.query(sql`
      create function full_disk() returns trigger language plpgsql as $$
      begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`);
    await app.db.query(sql`
      create trigger full_disk before update on outbox for each row when (new.state = 'transmitting') execute function full_disk()`);
    await expect(batch(accountId)).rejects.toThrow('No space left on device');
    expect(sink.messages).toEqual([]);
    await app.db.query(sql`drop trigger full_disk on outbox`);
    installation.clock.advance(HOUR);
    await recoverOutbox(app, { wasFetched, wasAnswered });
    expect(await batch(accountId)).toEqual({ sent: 3, other: 0 });
    expect(sink.messages).toHaveLength(3);
    expect(await accountOf(accountId)).toMatchObject({ status: 'active', sent: 3 });
  });
});

describe('a database that rejects one of several accepted emails', () => {
  it('records the others; the one is left to recovery, and the batch reports the error', async () => {
    const { app } = installation;
    const { accountId, campaignId } = await campaignOf(3);
    await app.db.query(sql`
      create function refuse_one() returns trigger language plpgsql as $$
      begin raise exception 'invalid byte sequence' using errcode = '22021'; end $$`);
    await app.db.query(sql`
      create trigger refuse_one before update on outbox for each row
      when (new.state = 'accepted' and new.recipient like '%-2@example.org') execute function refuse_one()`);
    await expect(batches.run(accountId)).rejects.toThrow('invalid byte sequence');
    expect(sink.messages).toHaveLength(3);
    const rows = await app.db.query<{ recipient: string; state: string }>(
      sql`select recipient, state from outbox where campaign_id = ${campaignId} order by recipient`,
    );
    expect(rows.map(({ state }) => state)).toEqual(['accepted', 'accepted', 'transmitting']);
    expect(await eventTypes(campaignId)).toEqual(['sent', 'sent']);
    await app.db.query(sql`drop trigger refuse_one on outbox`);
  });
});

describe('an email that can’t be prepared', () => {
  it('is held with the reason if it has an unknown placeholder, and the others are sent', async () => {
    const { accountId, campaignId } = await campaignOf(1, '<p>{{nonsense}}</p>');
    expect(await batch(accountId)).toEqual({ sent: 0, other: 1 });
    expect(await enrolments(campaignId)).toMatchObject([{ status: 'active', content_fault: 'unknown placeholder {{nonsense}}' }]);
    expect(await eventTypes(campaignId)).toEqual(['failed']);
    expect(sink.messages).toHaveLength(0);
    expect(await accountOf(accountId)).toMatchObject({ status: 'active', sent: 0 });
  });

  it('is not sent to an address that was suppressed in the meantime: its enrolment stops', async () => {
    const { accountId, campaignId } = await campaignOf(1);
    await installation.app.db.query(sql`
      insert into suppressions (workspace_id, email, created_at) values (1, ${`r${made}-0@example.org`}, ${installation.clock.now()})`);
    expect((await batch(accountId)).sent).toBe(0);
    expect(await enrolments(campaignId)).toMatchObject([{ status: 'stopped', stop_reason: 'suppressed' }]);
    expect(sink.messages).toHaveLength(0);
  });
});
