import { describe, expect, it } from 'vitest';
import { setAccount } from '../../src/accounts/index.ts';
import {
  activateCampaign,
  addStep,
  archiveAccount,
  changeCampaign,
  checkCampaign,
  createCampaign,
  createRotation,
  deleteAccount,
  deleteStep,
  enrolPending,
  listSteps,
  suppressAll,
} from '../../src/campaigns/index.ts';
import { DAY, MINUTE } from '../../src/core/clock.ts';
import { sql } from '../../src/db/statement.ts';
import { explainCampaign } from '../../src/sending/index.ts';
import { batchesOf, enrolmentsOf, giveMailbox, sendingInstallation, startSender } from '../support/sender.ts';

/** Features of campaigns and accounts that have to work together. */

const { installation, sink } = await sendingInstallation();
const { app, caller } = installation;

/** A campaign of one step. */
async function targetOn(accountId: number, name: string): Promise<number> {
  const { id } = await createCampaign(app, caller, { name, account_id: accountId });
  await addStep(app, caller, id, { kind: 'email', subject: name, body_html: '<p>x</p>', subject_b: null, body_html_b: null, wait_days: 0 });
  return id;
}

/** Enrols the contacts who are due into these campaigns, in this order. */
async function drain(...campaignIds: number[]): Promise<void> {
  for (const id of campaignIds) await enrolPending(app, id, new AbortController().signal);
}

const statusesIn = async (campaignId: number) => (await enrolmentsOf(installation, campaignId)).map(({ status }) => status);
const pendings = () => app.db.query(sql`select campaign_id from pending_enrolments`);

describe('"a contact is in one subsequence at a time: what fires first wins"', () => {
  it('two rules for one cause: the second is dropped, and the history says so', async () => {
    const { accountId, campaignId, batch } = await startSender(installation, sink);
    const [x, y] = [await targetOn(accountId, 'X'), await targetOn(accountId, 'Y')];
    await changeCampaign(app, caller, campaignId, {
      subsequences: [
        { on: 'finished', campaign_id: x },
        { on: 'finished', campaign_id: y },
      ],
    });
    await batch();
    await drain(x, y);
    expect([await statusesIn(x), await statusesIn(y)]).toEqual([['active'], []]);
    expect(await pendings()).toEqual([]);
    const skipped = await app.db.query(sql`select changes->>'reason' as reason from audit_log where action = 'contact.not_enrolled'`);
    expect(skipped).toEqual([{ reason: 'in_other_subsequence' }]);
  });

  it('"what was waiting for the same contact from the same campaign is dropped"', async () => {
    const { accountId, campaignId, batch } = await startSender(installation, sink);
    const [x, y] = [await targetOn(accountId, 'X2'), await targetOn(accountId, 'Y2')];
    await changeCampaign(app, caller, campaignId, {
      subsequences: [
        { on: 'finished', campaign_id: x },
        { on: 'finished', wait_days: 3, campaign_id: y },
      ],
    });
    await batch();
    await drain(x, y);
    installation.clock.advance(4 * DAY);
    await drain(y);
    expect([await statusesIn(x), await statusesIn(y)]).toEqual([['active'], []]);
  });
});

it('"Every way into completed fires finished": the deletion of the last step, too', async () => {
  const { accountId, campaignId, batch } = await startSender(installation, sink, { steps: [{}, { wait_days: 1 }] });
  const target = await targetOn(accountId, 'After the last');
  await changeCampaign(app, caller, campaignId, { subsequences: [{ on: 'finished', campaign_id: target }] });
  await batch();
  const [, last] = await listSteps(app.db, caller, campaignId);
  await deleteStep(app, caller, campaignId, last?.id ?? 0);
  expect(await statusesIn(campaignId)).toEqual(['completed']);
  await drain(target);
  expect(await statusesIn(target)).toEqual(['active']);
});

it.each([
  ['deleted', deleteAccount],
  ['archived', archiveAccount],
])('an account of a rotation group that is %s "is as if it had been removed from the group": nobody waits forever', async (_, leave) => {
  const first = await startSender(installation, sink, { contacts: Array.from({ length: 6 }, () => ({})) });
  const second = await startSender(installation, sink);
  const { members } = await createRotation(app, caller, first.campaignId, [second.accountId]);
  const other = members.map((member) => member.campaign_id).find((id) => id !== first.campaignId) ?? 0;
  expect(await statusesIn(other)).toHaveLength(3);
  await leave(app, caller, second.accountId);
  expect([await statusesIn(first.campaignId), await statusesIn(other)]).toEqual([Array.from({ length: 6 }, () => 'active'), []]);
  expect(await batchesOf(app).run(first.accountId)).toMatchObject({ sent: 6 });
});

it.each([
  ['deleted', deleteAccount],
  ['archived', archiveAccount],
])('"those in a sequence are told of by explain and check, with what to do": whose account of a group is %s (H2, Q3)', async (_, leave) => {
  const first = await startSender(installation, sink, { contacts: [{}, {}, {}, {}], steps: [{}, {}] });
  const second = await startSender(installation, sink);
  const { members } = await createRotation(app, caller, first.campaignId, [second.accountId]);
  const other = members.map((member) => member.campaign_id).find((id) => id !== first.campaignId) ?? 0;
  for (const id of [first.accountId, second.accountId]) await batchesOf(app).run(id);
  await leave(app, caller, second.accountId);
  const told = new RegExp(
    `^2 contacts in the sequence wait for sender-\\d+@example\\.com, which is archived or deleted; to continue with another account, run: outreach campaign set ${other} --account ADDRESS, and then: outreach campaign activate ${other}$`,
  );
  expect((await explainCampaign(app, caller, first.campaignId)).notes).toContainEqual(expect.stringMatching(told));
  const warnings = await checkCampaign(app, caller, first.campaignId);
  expect(warnings).toContainEqual({
    code: 'account_gone',
    is_blocking: false,
    step_order: null,
    contacts: 2,
    message: expect.stringMatching(told),
  });
  await changeCampaign(app, caller, other, { account_id: first.accountId });
  await activateCampaign(app, caller, other, null);
  installation.clock.advance(DAY);
  expect(await batchesOf(app).run(first.accountId)).toMatchObject({ sent: 4 });
  expect((await explainCampaign(app, caller, first.campaignId)).notes).not.toContainEqual(expect.stringMatching(told));
});

it('"quota of A/B": suppressed contacts, who get nothing, do not fill it', async () => {
  const emails = Array.from({ length: 20 }, (_, index) => `quota-${index}@corp.example`);
  await suppressAll(
    app,
    caller,
    emails.slice(0, 10).map((email) => ({ email, reason: null })),
  );
  const contacts = emails.map((email) => ({ email }));
  const { campaignId } = await startSender(installation, sink, { contacts, campaign: { ab_test_enabled: true } });
  const rows = await app.db.query<{ variant: string; active: number }>(sql`
    select variant, count(*)::int as active from enrolments where campaign_id = ${campaignId} and status = 'active' group by 1 order by 1`);
  expect(rows).toEqual([
    { variant: 'A', active: 5 },
    { variant: 'B', active: 5 },
  ]);
});

describe('limits of an account', () => {
  const always = {
    account: { send_window_start_hour: 0, send_window_end_hour: 24 },
    campaign: { sending_hour_start: 0, sending_hour_end: 24 },
  };
  const contacts = Array.from({ length: 60 }, () => ({}));

  it('"ramp-up by days on which it sent": a pause does not warm a mailbox up', async () => {
    const account = { ...always.account, ramp_start: 2, ramp_increment: 2 };
    const { batch } = await startSender(installation, sink, { ...always, account, contacts });
    expect(await batch()).toMatchObject({ sent: 2 });
    installation.clock.advance(DAY);
    expect(await batch()).toMatchObject({ sent: 4 });
    installation.clock.advance(28 * DAY);
    expect(await batch()).toMatchObject({ sent: 6 });
  });

  it('"a zone change doesn\'t give a second day", forth and back', async () => {
    const account = { ...always.account, daily_send_limit: 3 };
    const { accountId, batch } = await startSender(installation, sink, { ...always, account, contacts });
    expect(await batch()).toMatchObject({ sent: 3 });
    for (const timezone of ['Pacific/Auckland', 'UTC']) {
      await setAccount(app, caller, accountId, { timezone });
      installation.clock.advance(11 * MINUTE);
      expect(await batch()).toMatchObject({ sent: 0 });
    }
    installation.clock.advance(DAY);
    expect(await batch()).toMatchObject({ sent: 3 });
  });
});

it('"replies and bounces are recorded only where the reply address is a connected account": of whoever sends the email, after a move, too', async () => {
  const first = await startSender(installation, sink, { steps: [{}, { wait_days: 1 }] });
  const second = await startSender(installation, sink);
  await giveMailbox(installation, first.accountId, 993);
  await first.batch();
  await changeCampaign(app, caller, first.campaignId, { account_id: second.accountId });
  sink.misbehave('rcpt', { code: 550, text: '5.1.1 no such user' }, { times: 1 });
  installation.clock.advance(DAY);
  await first.batch();
  expect(await statusesIn(first.campaignId)).toEqual(['bounced']);
  expect(await app.db.query(sql`select type from events where campaign_id = ${first.campaignId} order by id desc limit 1`)).toEqual([
    { type: 'bounced' },
  ]);
});
