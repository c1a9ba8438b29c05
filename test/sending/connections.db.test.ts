import { describe, expect, it } from 'vitest';
import { archiveWorkspace, operator, unarchiveWorkspace } from '../../src/access/index.ts';
import { getAccount, getAccountDetails, testAccount } from '../../src/accounts/index.ts';
import { countActiveCampaigns, pauseAccount, resumeAccount } from '../../src/campaigns/index.ts';
import { MINUTE } from '../../src/core/clock.ts';
import { sql } from '../../src/db/statement.ts';
import { explainCampaign, forecastCampaign, resumeLimitedAccounts } from '../../src/sending/index.ts';
import { createWebhook } from '../../src/webhooks/index.ts';
import { startHostileSmtp } from '../support/hostile/smtp.ts';
import { workspace } from '../support/people.ts';
import { insertAccount, insertCampaign, rowOf } from '../support/rows.ts';
import { enrolmentsOf, type Sender, sendingInstallation, startSender } from '../support/sender.ts';

const { installation, sink } = await sendingInstallation();

/** Starts a sender with a batch every minute, so that the pauses after failures show. */
const sender = (contacts = 1) =>
  startSender(installation, sink, { account: { send_batch_interval_minutes: 1 }, contacts: Array.from({ length: contacts }, () => ({})) });

const account = (id: number) => getAccount(installation.app.db, installation.caller, id);
const details = (id: number) => getAccountDetails(installation.app.db, installation.caller, id);
const explain = ({ campaignId }: Sender) => explainCampaign(installation.app, installation.caller, campaignId);

/** Returns the minutes for which the account waits before its next connection. */
async function pauseOf({ accountId }: Sender): Promise<number> {
  const { connect_after } = await rowOf<{ connect_after: Date | null }>(installation.app, 'accounts', accountId);
  return ((connect_after?.getTime() ?? 0) - installation.clock.now().getTime()) / MINUTE;
}

/** Expects emails to be untouched: due, not attempted, without a failure or a soft bounce. */
async function expectUntouched({ campaignId, accountId }: Sender): Promise<void> {
  const { app } = installation;
  const rows = await app.db.query(sql`
    select e.status, e.soft_bounces, e.failures, o.attempt, coalesce(d.accepted, 0) as counted
    from enrolments e join outbox o on o.enrolment_id = e.id left join account_days d on d.account_id = ${accountId}
    where e.campaign_id = ${campaignId}`);
  for (const row of rows) expect(row).toEqual({ status: 'active', soft_bounces: 0, failures: 0, attempt: 0, counted: 0 });
  expect(rows.length).toBeGreaterThan(0);
}

describe('a login that is refused for good', () => {
  it.each([
    [535, '5.7.8 Username and Password not accepted. For more information, go to https://support.example'],
    [534, '5.7.9 Application-specific password required'],
    [530, '5.7.0 Must issue a STARTTLS command first'],
    [535, '5.7.139 Authentication unsuccessful, SmtpClientAuthentication is disabled for the Tenant'],
    [535, '5.7.8 Error: authentication failed, please try again later'],
    [554, '5.7.0 something that no table knows'],
  ])('pauses the account at once, with the words of the server: %i %s', async (code, text) => {
    const one = await sender();
    sink.misbehave('auth', { code, text });
    expect(await one.batch()).toEqual({ sent: 0, other: 1 });
    expect(await account(one.accountId)).toMatchObject({
      status: 'paused',
      pause_reason: 'provider_error',
      pause_message: expect.stringMatching(/^AUTH (PLAIN|LOGIN): \d/),
    });
    expect((await account(one.accountId)).pause_message).toContain(`${code} ${text}`);
    expect((await explain(one)).reasons.join(' ')).toContain(text);
    await expectUntouched(one);
  });

  it('tells webhooks the words of the server, over several lines too', async () => {
    const { app, caller } = installation;
    let reply = '235 2.7.0 welcome';
    const raw = await startHostileSmtp({ AUTH: (socket) => void socket.write(`${reply}\r\n`) });
    const one = await startSender(installation, raw);
    reply = '535-5.7.8 Username and Password not accepted.\r\n535 5.7.8 Learn more at https://mail.example';
    const before = raw.connections;
    const { id } = await createWebhook(app, caller, { url: 'https://example.com/hook', types: ['account.paused'] });
    await one.batch();
    await raw.close();
    const [told] = await app.db.query<{ data: { account: object } }>(sql`select data from webhook_deliveries where webhook_id = ${id}`);
    expect(told?.data.account).toMatchObject({
      pause_reason: 'provider_error',
      pause_message: expect.stringMatching(/^AUTH PLAIN: 535.5\.7\.8 Username and Password not accepted\. .*Learn more at/),
    });
    expect(raw.connections - before).toBe(1);
  });

  it.each([
    [550, '5.4.5 Daily user sending limit exceeded'],
    [454, '4.7.0 Daily message quota exceeded'],
  ])('a limit stated at the login pauses as provider_limit: %i %s', async (code, text) => {
    const one = await sender();
    sink.misbehave('auth', { code, text });
    await one.batch();
    expect(await account(one.accountId)).toMatchObject({ status: 'paused', pause_reason: 'provider_limit' });
    expect((await rowOf<{ pause_message: string }>(installation.app, 'accounts', one.accountId)).pause_message).toContain(text);
    await expectUntouched(one);
  });
});

describe('an outage', () => {
  it('is waited for with growing pauses and never needs a person, however long it lasts', async () => {
    const one = await sender(2);
    sink.misbehave('connect', 'close');
    for (const pause of [1, 2, 4, 8, 16, 32, 60, 60]) {
      expect((await one.batch()).sent).toBe(0);
      expect(await pauseOf(one)).toBe(pause);
      expect((await account(one.accountId)).status).toBe('active');
      // Nothing is attempted before the pause is over.
      expect(await one.batch()).toEqual({ sent: 0, other: 0 });
      installation.clock.advance(pause * MINUTE);
    }
    await expectUntouched(one);
    sink.behave();
    expect(await one.batch()).toEqual({ sent: 2, other: 0 });
    expect(await details(one.accountId)).toMatchObject({ connection_error: null, connect_after: null });
    expect(await pauseOf(one)).toBeLessThan(0);
  });

  it.each([
    ['auth', 454, '4.7.0 Temporary authentication failure'],
    ['auth', 454, 'Authentication failed: the directory is away'],
    ['auth', 421, '4.7.0 Too many login attempts, please try again later'],
    ['auth', 432, '4.3.2 Concurrent connections limit exceeded'],
    ['connect', 421, '4.3.2 System not accepting network messages'],
    ['mail', 451, '4.3.0 Mail server temporarily rejected message'],
  ] as const)('a 4xx at %s asks for more patience and pauses nothing: %i %s', async (phase, code, text) => {
    const one = await sender();
    sink.misbehave(phase, { code, text });
    for (const pause of [5, 10, 20, 40, 60, 60]) {
      expect((await one.batch()).sent).toBe(0);
      expect(await pauseOf(one)).toBe(pause);
      installation.clock.advance(pause * MINUTE);
    }
    expect((await account(one.accountId)).status).toBe('active');
    await expectUntouched(one);
    sink.behave();
    expect((await one.batch()).sent).toBe(1);
  });

  it('is named by explain and account show with the time of the next attempt, which the forecast takes into account', async () => {
    const { app, caller } = installation;
    const one = await sender();
    sink.misbehave('connect', 'close', { times: 1 });
    await one.batch();
    const { email } = await account(one.accountId);
    const explanation = await explain(one);
    expect(explanation.reasons).toEqual([
      expect.stringMatching(
        new RegExp(
          `^${email} waits because 1 connection in a row to its mail server failed: .+\\. The next attempt is due at 2026-07-07 12:01 UTC\\.$`,
        ),
      ),
    ]);
    expect(explanation.next_send_at).toBe('2026-07-07 12:01:00');
    expect((await forecastCampaign(app, caller, one.campaignId, 1))[0]?.send_at).toBe('2026-07-07 12:01:00');
    expect(await details(one.accountId)).toMatchObject({
      connection_error: expect.stringMatching(/./),
      connect_after: '2026-07-07 12:01:00',
    });
  });

  it.each([
    ['a minute', async () => installation.clock.advance(MINUTE)],
    ['a successful account test', async (one: Sender) => testAccount(installation.app, installation.caller, one.accountId)],
  ])('ends after %s, whatever the interval between batches: nothing was sent', async (_, end) => {
    const one = await startSender(installation, sink, { account: { send_batch_interval_minutes: 10 }, contacts: [{}] });
    sink.misbehave('connect', 'close', { times: 1 });
    expect((await one.batch()).sent).toBe(0);
    await end(one);
    expect((await one.batch()).sent).toBe(1);
  });

  it('ends with a successful account test', async () => {
    const { app, caller } = installation;
    const one = await sender();
    sink.misbehave('connect', 'close', { times: 3 });
    for (const pause of [1, 2, 4]) {
      await one.batch();
      if (pause < 4) installation.clock.advance(pause * MINUTE);
    }
    expect(await pauseOf(one)).toBe(4);
    installation.clock.advance(MINUTE);
    expect((await testAccount(app, caller, one.accountId)).smtp.problem).toBeNull();
    expect((await one.batch()).sent).toBe(1);
  });
});

describe('a pause by a person', () => {
  it('is not replaced by a refusal that was under way, and so does not end with the provider’s limit', async () => {
    const { app, caller } = installation;
    const raw = await startHostileSmtp({
      dot: (socket) => {
        void pauseAccount(app, caller, one.accountId).then(() => socket.write('550 5.4.5 Daily user sending limit exceeded\r\n'));
      },
    });
    const one: Sender = await startSender(installation, raw);
    await one.batch();
    expect(await account(one.accountId)).toMatchObject({ status: 'paused', pause_reason: 'manual' });
    await raw.close();
  });
});

describe('an email that makes its server cut the connection', () => {
  it('lets the others go first and is held after its own tries; the account keeps sending', async () => {
    const raw = await startHostileSmtp({ DATA: (socket) => void socket.destroy() });
    const { app } = installation;
    const one = await startSender(installation, raw, { account: { send_batch_interval_minutes: 1 } });
    for (const wait of [15, 60, 240]) {
      expect((await one.batch()).sent).toBe(0);
      const [row] = await enrolmentsOf(installation, one.campaignId);
      expect((new Date(row?.due_at ?? 0).getTime() - installation.clock.now().getTime()) / MINUTE).toBe(wait);
      installation.clock.advance(wait * MINUTE);
      await app.db.query(sql`update campaigns set sending_hour_start = 0, sending_hour_end = 24 where id = ${one.campaignId}`);
      await app.db.query(sql`update accounts set send_window_start_hour = 0, send_window_end_hour = 24 where id = ${one.accountId}`);
    }
    await one.batch();
    const [held] = await enrolmentsOf(installation, one.campaignId);
    expect(held).toMatchObject({ status: 'active', hold_reason: expect.stringMatching(/./) });
    expect((await account(one.accountId)).status).toBe('active');
    await raw.close();
  });
});

describe('a refusal for the provider’s limit', () => {
  const LIMIT = { code: 550, text: '5.4.5 Daily user sending limit exceeded' };

  it('is not a try of the email: a later temporary refusal is its first, and waits 15 minutes', async () => {
    const { app } = installation;
    const one = await sender();
    sink.misbehave('data', LIMIT, { times: 1 });
    await one.batch();
    expect(await app.db.query(sql`select state, attempt from outbox where campaign_id = ${one.campaignId}`)).toEqual([
      { state: 'retry', attempt: 0 },
    ]);
    installation.clock.set('2026-07-08T12:00:00Z');
    await resumeLimitedAccounts(app);
    sink.misbehave('rcpt', { code: 450, text: '4.2.0 Greylisted' }, { times: 1 });
    await one.batch();
    const [row] = await enrolmentsOf(installation, one.campaignId);
    expect((new Date(row?.due_at ?? 0).getTime() - installation.clock.now().getTime()) / MINUTE).toBe(15);
  });
});

describe('a limited account in an archived workspace', () => {
  it('does not resume, nor do its campaigns, before the workspace is unarchived', async () => {
    const { app, clock } = installation;
    const own = operator(await workspace(app));
    const accountId = await insertAccount(app, {
      ...{ workspace_id: own.workspaceId, status: 'paused', pause_reason: 'provider_limit', paused_at: clock.now() },
    });
    const campaignId = await insertCampaign(app, {
      ...{ workspace_id: own.workspaceId, account_id: accountId, status: 'paused', paused_by_account: true },
    });
    await archiveWorkspace(app, own, countActiveCampaigns);
    clock.set('2026-07-09T12:00:00Z');
    expect(await resumeLimitedAccounts(app)).not.toContain(accountId);
    await expect(resumeAccount(app, own, accountId)).rejects.toThrow('the workspace is archived; unarchive it first');
    expect((await rowOf<{ status: string }>(app, 'campaigns', campaignId)).status).toBe('paused');
    await unarchiveWorkspace(app, own);
    expect(await resumeLimitedAccounts(app)).toContain(accountId);
    expect((await rowOf<{ status: string }>(app, 'campaigns', campaignId)).status).toBe('active');
  });
});

describe('an email permitted before midnight and refused after it', () => {
  it('lowers the count of the day of its permit, so that the new day’s limit cannot be exceeded by one', async () => {
    const { app, clock } = installation;
    const raw = await startHostileSmtp({
      dot: (socket) => {
        clock.set('2026-07-08T00:00:01Z');
        socket.write('550 5.1.1 no such user\r\n');
      },
    });
    const one = await startSender(installation, raw);
    await app.db.query(sql`update accounts set send_window_start_hour = 0, send_window_end_hour = 24 where id = ${one.accountId}`);
    await app.db.query(sql`update campaigns set sending_hour_start = 0, sending_hour_end = 24 where id = ${one.campaignId}`);
    await app.db.query(sql`insert into account_days (account_id, day, accepted) values (${one.accountId}, '2026-07-08', 3)`);
    clock.set('2026-07-07T23:59:59Z');
    await one.batch();
    const days = await app.db.query(sql`
      select day::text, accepted from account_days where account_id = ${one.accountId} order by day`);
    expect(days).toEqual([
      { day: '2026-07-07', accepted: 0 },
      { day: '2026-07-08', accepted: 3 },
    ]);
    await raw.close();
  });
});
