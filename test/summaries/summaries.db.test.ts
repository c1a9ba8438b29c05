import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { operator } from '../../src/access/index.ts';
import { recordLimitReached } from '../../src/accounts/index.ts';
import { completeFinishedCampaigns } from '../../src/campaigns/index.ts';
import { DAY, HOUR, MINUTE } from '../../src/core/clock.ts';
import { sql } from '../../src/db/statement.ts';
import { listWeeklyReports, sendScheduledEmails, setDailySummary, setWeeklyReport } from '../../src/summaries/index.ts';
import { TEST_START, testInstallation } from '../support/database.ts';
import { member } from '../support/people.ts';
import { insertAccount, insertCampaign, insertEnrolment, insertReply } from '../support/rows.ts';
import { startSmtpSink } from '../support/smtp-sink.ts';

const sink = await startSmtpSink({ users: { me: 'secret' } });
afterAll(() => sink.close());
const installation = await testInstallation({
  systemSmtpUrl: `smtp://me:secret@127.0.0.1:${sink.port}`,
  systemFrom: 'Outreach <outreach@example.org>',
});
const { app, clock } = installation;
const admin = operator(1);
const at = { at: '08:00', timezone: 'UTC' };
const run = () => sendScheduledEmails(app);
const texts = () => sink.messages.map(({ raw }) => raw.toString().replaceAll('=\r\n', ''));
/** A day later at noon: the summary of that day is due. */
const nextDay = () => clock.set(new Date(Math.floor(clock.now().getTime() / DAY) * DAY + DAY + 12 * HOUR));

beforeEach(async () => {
  clock.set(TEST_START);
  sink.behave();
  sink.messages.length = 0;
  await app.db.query(sql`delete from scheduled_emails`);
});

const campaign = async (values: object = {}) => insertCampaign(app, { is_shared_to_all: true, ...values });
const reply = async (id: number, text: string) => insertReply(app, await insertEnrolment(app, id), { own_text: text });

describe('the daily summary', () => {
  it('has the replies that came in since the last one, goes to its user, and is sent on the day once', async () => {
    const { id, email } = await member(app, 'manager');
    const shared = await campaign();
    await reply(shared, 'Before');
    await setDailySummary(app, admin, id, at);
    await reply(shared, 'Splendid idea');
    nextDay();
    expect(await run()).toBe(1);
    expect(await run()).toBe(0);
    expect(sink.messages.map(({ to }) => to)).toEqual([[email]]);
    expect(texts()[0]).toContain('Splendid idea');
    expect(texts()[0]).not.toContain('Before');
    expect(texts()[0]).toContain('Auto-Submitted: auto-generated');
    nextDay();
    expect(await run()).toBe(0);
  });

  it('tells of an account that should stop by its health, once it is sending, and why', async () => {
    const { id } = await member(app, 'manager');
    await setDailySummary(app, admin, id, at);
    const healthOf = (word: string) => {
      const checks = [
        { check: 'spf', state: 'stop', since: '2026-07-07 12:00:00', detail: 'several SPF records are an error', remedy: 'merge them' },
        { check: 'mx', state: 'good', since: '2026-07-07 12:00:00', detail: 'mx.provider.test', remedy: null },
      ];
      return JSON.stringify({ word, since: '2026-07-07 12:00:00', checked_at: '2026-07-07 12:00:00', lists_asked_at: '', checks });
    };
    const account = await insertAccount(app, { email: 'ill@example.com', is_shared_to_all: true, health: healthOf('watch') });
    nextDay();
    expect(await run(), 'one to watch needs nobody today').toBe(0);
    await app.db.query(sql`update accounts set health = ${healthOf('stop')}::jsonb where id = ${account}`);
    nextDay();
    expect(await run()).toBe(1);
    expect(texts()[0]).toContain(
      '- The account ill@example.com should stop sending: spf: several SPF records are an error (outreach account health ill@example.com)',
    );
    expect(texts()[0]).toMatch(/^Subject: .*action needed/m);
    await app.db.query(sql`update accounts set health = null where id = ${account}`);
  });

  it('tells of a campaign only whom may see it', async () => {
    const [one, other] = [await member(app, 'manager'), await member(app, 'manager')];
    const hidden = await campaign({ is_shared_to_all: false, created_by: one.id });
    for (const { id } of [one, other]) await setDailySummary(app, admin, id, at);
    await reply(hidden, 'For one alone');
    nextDay();
    await run();
    expect(sink.messages.map(({ to }) => to[0])).toEqual([one.email]);
  });

  it('is off until it is set, ends when it is set off, and goes to nobody who is disabled or has left', async () => {
    const [off, disabled, gone] = [await member(app, 'manager'), await member(app, 'manager'), await member(app, 'manager')];
    for (const { id } of [off, disabled, gone]) await setDailySummary(app, admin, id, at);
    await setDailySummary(app, admin, off.id, { at: null });
    await app.db.query(sql`update users set disabled_at = now() where id = ${disabled.id}`);
    await app.db.query(sql`delete from api_keys where user_id = ${gone.id}`);
    await app.db.query(sql`delete from memberships where user_id = ${gone.id}`);
    await reply(await campaign(), 'Yes');
    nextDay();
    expect(await run()).toBe(0);
    expect(sink.messages).toEqual([]);
  });

  it('is sent by one of several daemons', async () => {
    const { id } = await member(app, 'manager');
    await setDailySummary(app, admin, id, at);
    await reply(await campaign(), 'Yes');
    nextDay();
    const sent = await Promise.all([run(), run(), run(), run()]);
    expect(sent.reduce((sum, count) => sum + count)).toBe(1);
    expect(sink.messages).toHaveLength(1);
  });

  it('is not sent again when the connection broke after the message, and the next one has what was in it', async () => {
    const { id } = await member(app, 'manager');
    await setDailySummary(app, admin, id, at);
    await reply(await campaign(), 'Splendid idea');
    nextDay();
    sink.misbehave('data', 'drop', { times: 1 });
    expect(await run()).toBe(0);
    clock.advance(HOUR);
    expect(await run()).toBe(0);
    expect(sink.messages).toHaveLength(1);
    nextDay();
    expect(await run()).toBe(1);
    expect(texts()[1]).toContain('Splendid idea');
  });

  it('is tried again when the server refuses it', async () => {
    const { id } = await member(app, 'manager');
    await setDailySummary(app, admin, id, at);
    await reply(await campaign(), 'Yes');
    nextDay();
    sink.misbehave('rcpt', { code: 451, text: 'later' }, { times: 1 });
    expect(await run()).toBe(0);
    clock.advance(10 * MINUTE);
    expect(await run()).toBe(1);
  });

  it('tells of campaigns that ended since that time of the day before, and beside it of accounts at their daily limit', async () => {
    const { id } = await member(app, 'manager');
    await setDailySummary(app, admin, id, at);
    const limited = await insertAccount(app, { email: 'busy@example.com', is_shared_to_all: true });
    const reach = (day: string) => recordLimitReached(app, { id: limited, workspaceId: 1, dailyLimit: 50 }, day);
    await reach('2026-07-07');
    nextDay();
    expect(await run(), 'a limit alone is no news').toBe(0);
    for (const values of [{ name: 'Spring' }, { name: 'Hidden', is_shared_to_all: false }]) {
      const ended = await campaign(values);
      await insertEnrolment(app, ended, { status: 'completed', due_at: null });
    }
    expect(await completeFinishedCampaigns(app)).toHaveLength(2);
    await reach('2026-07-08');
    nextDay();
    expect(await run()).toBe(1);
    expect(texts()[0]).toMatch(/^Subject: .*: 1 campaign completed\r$/m);
    expect(texts()[0]).toContain('- The campaign "Spring" is completed');
    expect(texts()[0]).toContain('- The account busy@example.com reached its daily limit; other emails waited');
    nextDay();
    expect(await run()).toBe(0);
  });

  it('tells of what needs a person, without a reply too', async () => {
    const { id } = await member(app, 'admin');
    const of = await campaign();
    await app.db.query(sql`update accounts set status = 'paused', pause_reason = 'manual', pause_message = 'by hand'
      where id = (select account_id from campaigns where id = ${of})`);
    await setDailySummary(app, admin, id, at);
    nextDay();
    expect(await run()).toBe(1);
    expect(texts()[0]).toContain('is paused: by hand');
  });
});

describe('docs/reports.md, "A report each week"', () => {
  /** Monday, 10 March 2025, 7:59 in Berlin. */
  const BEFORE = new Date('2025-03-10T06:59:00Z');
  const plain = () => texts().map((text) => text.replaceAll('\r\n', '\n'));
  const weekly = (userId: number, campaignId: number | null = null, isOn = true, caller = admin) =>
    setWeeklyReport(app, caller, { userId, campaignId, isOn });

  beforeEach(async () => {
    clock.set(BEFORE);
    await app.db.query(sql`update workspaces set timezone = 'Europe/Berlin' where id = 1`);
  });

  it('is sent each Monday at 8:00 in the zone of the workspace, once, as a page with the totals as text beside it, until it is ended', async () => {
    const { id, email } = await member(app, 'manager');
    const name = `Fair ${id}`;
    const about = await campaign({ name });
    await insertEnrolment(app, about);
    await weekly(id);
    await weekly(id, about);
    expect(await run()).toBe(0);
    clock.set(new Date('2025-03-10T07:00:00Z'));
    expect(await Promise.all([run(), run()]).then(([one, other]) => (one ?? 0) + (other ?? 0))).toBe(2);
    expect(sink.messages.map(({ to }) => to)).toEqual([[email], [email]]);
    expect(sink.messages.map(({ headers }) => headers.get('subject'))).toContain(`${name}: weekly report`);
    for (const text of plain()) {
      expect(text).toContain('multipart/alternative');
      expect(text).toMatch(/0 emails sent\n0 replied/);
      expect(text).toContain('<!doctype html>');
    }
    clock.set(new Date('2025-03-16T23:00:00Z'));
    expect(await run()).toBe(0);
    await weekly(id, about, false);
    clock.set(new Date('2025-03-17T07:00:00Z'));
    expect(await run()).toBe(1);
    expect(await listWeeklyReports(app.db, admin)).toMatchObject([{ email, campaign_id: null, next_at: '2025-03-24 07:00:00' }]);
    const audited = await app.db.query(
      sql`select changes from audit_log where action = 'user.set_weekly_report' and resource_id = ${id} order by id`,
    );
    expect(audited.map(({ changes }) => changes)).toEqual([
      { weekly_report: [false, true] },
      { weekly_report: [false, true], campaign_id: about },
      { weekly_report: [true, false], campaign_id: about },
    ]);
  });

  it('shows what its user may see; who is disabled or removed, or may not see the campaign, gets none', async () => {
    const [one, disabled, removed] = [await member(app, 'manager'), await member(app, 'manager'), await member(app, 'manager')];
    const hidden = await campaign({ is_shared_to_all: false, created_by: disabled.id });
    for (const { id } of [disabled, removed]) await weekly(id);
    await weekly(one.id, hidden);
    await app.db.query(sql`update users set disabled_at = now() where id = ${disabled.id}`);
    await app.db.query(sql`delete from memberships where user_id = ${removed.id}`);
    clock.set(new Date('2025-03-10T07:00:00Z'));
    expect(await run()).toBe(0);
    expect(sink.messages).toEqual([]);
  });

  it('everybody sets their own, and an admin anybody’s', async () => {
    const [one, other] = [await member(app, 'manager'), await member(app, 'manager')];
    const caller = { ...admin, actor: 'user' as const, userId: one.id, role: 'manager' as const, isInstallAdmin: false };
    await weekly(one.id, null, true, caller);
    await expect(weekly(other.id, null, true, caller)).rejects.toThrow('only an admin');
    await weekly(other.id);
    expect((await listWeeklyReports(app.db, caller)).map(({ user_id }) => user_id)).toEqual([one.id]);
    expect((await listWeeklyReports(app.db, admin)).map(({ user_id }) => user_id)).toEqual([one.id, other.id]);
  });
});
