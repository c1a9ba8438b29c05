import { beforeAll, expect, it } from 'vitest';
import { DAY, HOUR } from '../../src/core/clock.ts';
import { sql } from '../../src/db/statement.ts';
import { explainCampaign } from '../../src/sending/index.ts';
import { type TestInstallation, testInstallation } from '../support/database.ts';
import { insertAccount, insertCampaign, insertEnrolment, insertMail, rowOf } from '../support/rows.ts';

let installation: TestInstallation;

beforeAll(async () => {
  installation = await testInstallation();
});

const OPEN = { send_window_start_hour: 0, send_window_end_hour: 24 };

/** Creates an active campaign with one due contact, and returns the id and address of its account. */
async function dueCampaign(account: object, campaign: object = {}) {
  const { app } = installation;
  const accountId = await insertAccount(app, { ...OPEN, ...account });
  const { email } = await rowOf<{ email: string }>(app, 'accounts', accountId);
  const campaignId = await insertCampaign(app, { account_id: accountId, ...campaign });
  const enrolment = await insertEnrolment(app, campaignId, { due_at: app.clock.now() });
  return { accountId, campaignId, email, enrolment };
}

const reasonsOf = async (campaignId: number) => (await explainCampaign(installation.app, installation.caller, campaignId)).reasons;

it('names the daily limit of the account', async () => {
  const { campaignId, email } = await dueCampaign({ daily_send_limit: 0 });
  expect(await reasonsOf(campaignId)).toEqual([`${email} has a daily limit of 0.`]);
});

it('says who paused the account and which command resumes it', async () => {
  const { accountId, campaignId, email } = await dueCampaign({ status: 'paused', pause_reason: 'manual' });
  expect(await reasonsOf(campaignId)).toEqual([
    `The account ${email} was paused manually; resume it with: outreach account resume ${accountId}`,
  ]);
  const other = await dueCampaign({ status: 'paused', pause_reason: 'provider_error', pause_message: '535 no' });
  expect(await reasonsOf(other.campaignId)).toEqual([
    `The account ${other.email} is paused: 535 no. When this is fixed, resume it with: outreach account resume ${other.accountId}`,
  ]);
});

it('says what a draft needs', async () => {
  const campaignId = await insertCampaign(installation.app, { status: 'draft' }, []);
  expect(await reasonsOf(campaignId)).toEqual(['The campaign is a draft and needs a step and an enrolled contact.']);
});

it('counts the emails whose delivery is unknown with the right plural', async () => {
  const { app, caller } = installation;
  const { campaignId, enrolment } = await dueCampaign({});
  await insertMail(app, enrolment, { state: 'unknown', accepted_at: null, transmitting_at: app.clock.now() });
  const unknown = async () => (await explainCampaign(app, caller, campaignId)).notes[0];
  expect(await unknown()).toBe('The delivery of 1 email is unknown; see: outreach outbox list --uncertain');
  const second = await insertEnrolment(app, campaignId, { due_at: app.clock.now() });
  await insertMail(app, second, { state: 'unknown', accepted_at: null, transmitting_at: app.clock.now() });
  expect(await unknown()).toBe('The delivery of 2 emails is unknown; see: outreach outbox list --uncertain');
});

it('names the mailbox that cannot be polled while follow-ups wait for it, and the time of the next attempt', async () => {
  const { app, caller, clock } = installation;
  const { accountId, campaignId, email, enrolment } = await dueCampaign({}, { timezone: 'UTC' });
  await app.db.query(sql`
    update accounts set imap = '{"host": "imap.example.com", "port": 993, "secure": true, "tls": "implicit", "user": "x"}',
      smtp = '{"host": "smtp.example.com", "port": 465, "secure": true, "tls": "implicit", "user": "x"}', poll_error = 'connect ECONNREFUSED', next_poll_at = ${new Date(clock.now().getTime() + HOUR)} where id = ${accountId}`);
  await app.db.query(sql`update enrolments set last_sent_step = 1 where id = ${enrolment.id}`);
  const sentence = `Follow-ups wait because the mailbox of ${email} cannot be polled: connect ECONNREFUSED. The next attempt is due at 2026-07-07 13:00 UTC.`;
  const explanation = await explainCampaign(app, caller, campaignId);
  expect(explanation.reasons).toEqual([sentence]);
  expect(Date.parse(`${explanation.next_send_at}Z`)).toBeGreaterThanOrEqual(clock.now().getTime() + HOUR);
  await insertEnrolment(app, campaignId, { due_at: clock.now() });
  expect(await explainCampaign(app, caller, campaignId)).toMatchObject({
    ...{ reasons: [], notes: [sentence], next_send_at: '2026-07-07 12:00:00' },
  });
});

it('says when emails are tried again that a server refused for now, and its words', async () => {
  const { app, caller, clock } = installation;
  const { campaignId, enrolment } = await dueCampaign({}, { timezone: 'UTC' });
  const refuse = async (each: typeof enrolment) => {
    await insertMail(app, each, {
      state: 'retry',
      attempt: 1,
      accepted_at: null,
      closed_at: null,
      response: '550 Failure sending mail. Try again later.',
    });
    await app.db.query(sql`update enrolments set due_at = ${new Date(clock.now().getTime() + HOUR)} where id = ${each.id}`);
  };
  await refuse(enrolment);
  expect(await reasonsOf(campaignId)).toEqual([
    '1 email will be retried at 2026-07-07 13:00 UTC, after: 550 Failure sending mail. Try again later.',
  ]);
  await refuse(await insertEnrolment(app, campaignId));
  const { reasons } = await explainCampaign(app, caller, campaignId);
  expect(reasons).toEqual([
    '2 emails will be retried, the first at 2026-07-07 13:00 UTC, after: 550 Failure sending mail. Try again later.',
  ]);
});

it('names the mailbox that cannot be polled while nothing is due, in the words of its server', async () => {
  const { app, caller, clock } = installation;
  const { accountId, campaignId, email, enrolment } = await dueCampaign({}, { timezone: 'UTC' });
  await app.db.query(sql`
    update accounts set imap = '{"host": "imap.example.com", "port": 993, "secure": true, "tls": "implicit", "user": "x"}',
      poll_error = 'login: User is authenticated but not connected.', next_poll_at = ${new Date(clock.now().getTime() + HOUR)} where id = ${accountId}`);
  await app.db.query(
    sql`update enrolments set last_sent_step = 1, due_at = ${new Date(clock.now().getTime() + 3 * DAY)} where id = ${enrolment.id}`,
  );
  expect(await explainCampaign(app, caller, campaignId)).toMatchObject({
    reasons: ['No email is due yet: every contact is waiting for its next step.'],
    notes: [
      `Replies are not read because the mailbox of ${email} cannot be polled: login: User is authenticated but not connected. The next attempt is due at 2026-07-07 13:00 UTC.`,
    ],
  });
});

it('says that an active campaign has no email step', async () => {
  const { campaignId } = await dueCampaign({});
  await installation.app.db.query(sql`update steps set deleted_at = now() where campaign_id = ${campaignId}`);
  expect(await reasonsOf(campaignId)).toEqual(['The campaign has no email step; add one to continue.']);
});

/** docs/operating.md: "`campaign explain` says when an account waits for a place". */
it('says that the account waits for a place, for how long, and how many of its workspace send', async () => {
  const { app, clock } = installation;
  const { accountId, campaignId, email } = await dueCampaign({}, { timezone: 'UTC' });
  const sending = await insertAccount(app, { batch_worker: 'busy', batch_lease_until: new Date(Date.now() + HOUR) });
  const due = (seconds: number) =>
    app.db.query(sql`update accounts set next_batch_at = ${new Date(clock.now().getTime() - seconds * 1_000)} where id = ${accountId}`);
  await due(10);
  expect(await reasonsOf(campaignId)).toEqual([]);
  await due(90);
  expect(await reasonsOf(campaignId)).toEqual([
    `The account ${email} has waited for a place for 90 seconds: 1 account of this workspace is sending now. If this lasts, see the log of the daemon.`,
  ]);
  await app.db.query(
    sql`update accounts set batch_lease_until = ${new Date(Date.now() + HOUR)} where id = any(${[accountId, sending]}::int[])`,
  );
  expect(await reasonsOf(campaignId)).toEqual([]);
});
