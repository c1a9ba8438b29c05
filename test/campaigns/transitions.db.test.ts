import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Caller, daemon, operator, recipient } from '../../src/access/index.ts';
import type { App } from '../../src/app.ts';
import { completeCampaigns, completeFinishedCampaigns } from '../../src/campaigns/campaign/completion.ts';
import { holdEnrolments } from '../../src/campaigns/enrolments/hold.ts';
import { holdEverywhere } from '../../src/campaigns/enrolments/hold-everywhere.ts';
import { endEnrolments } from '../../src/campaigns/enrolments/transitions.ts';
import type { EndStatus, EnrolmentStatus } from '../../src/campaigns/states/enrolment.ts';
import { DAY } from '../../src/core/clock.ts';
import { sql } from '../../src/db/statement.ts';
import { testInstallation } from '../support/database.ts';
import { insertCampaign, insertEnrolment, insertRow, rowOf } from '../support/rows.ts';

let app: App;
let campaign: number;
const system = daemon(1);

beforeAll(async () => {
  app = (await testInstallation()).app;
});
beforeEach(async () => {
  campaign = await insertCampaign(app, {}, [{}, { kind: 'call' }]);
});

const end = (ids: number[], status: EndStatus, caller: Caller = system, reason?: string) =>
  app.db.tx((tx) => endEnrolments(tx, app, caller, ids, reason === undefined ? { status } : { status, reason }));

const audits = (resourceType: string, id: number) =>
  app.db.query<{ action: string; actor: string }>(
    sql`select action, actor from audit_log where resource_type = ${resourceType} and resource_id = ${id} order by id`,
  );

const campaignStatus = async () => (await rowOf<{ status: string }>(app, 'campaigns', campaign)).status;

describe('enrolment transitions', () => {
  const unchanged: [EnrolmentStatus, EndStatus][] = [
    ['replied', 'stopped'],
    ['replied', 'bounced'],
    ['replied', 'completed'],
    ['stopped', 'replied'],
    ['stopped', 'bounced'],
    ['stopped', 'completed'],
    ['bounced', 'stopped'],
    ['bounced', 'completed'],
    ['completed', 'stopped'],
  ];
  const changed: [EnrolmentStatus, EndStatus][] = [
    ['active', 'replied'],
    ['active', 'stopped'],
    ['active', 'bounced'],
    ['active', 'completed'],
    ['completed', 'replied'],
    ['completed', 'bounced'],
    ['bounced', 'replied'],
  ];

  it.each(changed)('%s becomes %s, and nothing waits for it any more', async (from, to) => {
    const { id } = await insertEnrolment(app, campaign, { status: from, due_at: app.clock.now(), held_until: app.clock.now() });
    expect(await end([id], to, system, 'why')).toEqual([id]);
    expect(await rowOf(app, 'enrolments', id)).toMatchObject({ status: to, stop_reason: 'why', due_at: null, held_until: null });
  });

  it.each(unchanged)('%s does not become %s', async (from, to) => {
    const { id } = await insertEnrolment(app, campaign, { status: from, stop_reason: 'first' });
    expect(await end([id], to)).toEqual([]);
    expect(await rowOf(app, 'enrolments', id)).toMatchObject({ status: from, stop_reason: 'first' });
  });

  it.each([
    [['bounced', 'replied'], 'replied'],
    [['replied', 'bounced'], 'replied'],
    [['completed', 'bounced', 'replied'], 'replied'],
    [['stopped', 'bounced'], 'stopped'],
  ] as [EndStatus[], EnrolmentStatus][])('of two facts in one poll the stronger stays: %s gives %s', async (facts, expected) => {
    const { id } = await insertEnrolment(app, campaign);
    for (const fact of facts) await end([id], fact);
    expect((await rowOf(app, 'enrolments', id)).status).toBe(expected);
  });

  it('an end cancels the pending call and leaves finished ones alone', async () => {
    const { id } = await insertEnrolment(app, campaign);
    const [step] = await app.db.query<{ id: number }>(sql`select id from steps where campaign_id = ${campaign} and kind = 'call'`);
    const other = await insertEnrolment(app, campaign);
    const task = (enrolment: number, status: string) =>
      insertRow(app, 'call_tasks', {
        ...{ workspace_id: 1, campaign_id: campaign, enrolment_id: enrolment, step_id: step?.id, status },
        ...{ due_at: app.clock.now(), created_at: app.clock.now() },
      });
    const pending = await task(id, 'pending');
    const done = await task(other.id, 'done');
    await end([id, other.id], 'replied');
    expect(await rowOf(app, 'call_tasks', pending)).toMatchObject({ status: 'cancelled', closed_at: app.clock.now() });
    expect(await rowOf(app, 'call_tasks', done)).toMatchObject({ status: 'done', closed_at: null });
  });

  it('what a person ends is audited, what recipients and the daemon end is not', async () => {
    const [byHand, byDaemon, byRecipient] = [
      await insertEnrolment(app, campaign),
      await insertEnrolment(app, campaign),
      await insertEnrolment(app, campaign),
    ];
    await end([byHand.id], 'stopped', operator(1), 'manual');
    await end([byDaemon.id], 'completed');
    await end([byRecipient.id], 'stopped', recipient(1, '192.0.2.1'), 'unsubscribed');
    expect(await audits('enrolment', byHand.id)).toEqual([{ action: 'enrolment.end', actor: 'cli' }]);
    expect(await audits('enrolment', byDaemon.id)).toEqual([]);
    expect(await audits('enrolment', byRecipient.id)).toEqual([]);
  });

  it('many ends of the same people at once neither fail nor end anybody twice', async () => {
    const enrolments = await Promise.all(Array.from({ length: 12 }, () => insertEnrolment(app, campaign)));
    const ids = enrolments.map((enrolment) => enrolment.id);
    const ended = await Promise.all([...Array(8)].map((_, turn) => end(turn % 2 === 0 ? ids : ids.toReversed(), 'stopped')));
    expect(ended.flat().toSorted((a, b) => a - b)).toEqual(ids.toSorted((a, b) => a - b));
  });
});

describe('holds', () => {
  const until = (days: number) => new Date(app.clock.now().getTime() + days * DAY);
  const hold = (id: number, days: number) =>
    app.db.tx((tx) => holdEnrolments(tx, app, operator(1), [id], { until: until(days), reason: 'on leave' }));
  const holdAway = (id: number, days: number) =>
    app.db.tx((tx) => holdEverywhere(tx, app, id, { until: until(days), reason: 'away', replyId: null }));

  it('an automatic reply never shortens a hold; a person may', async () => {
    const { id } = await insertEnrolment(app, campaign);
    expect(await hold(id, 10)).toEqual([id]);
    await holdAway(id, 7);
    expect(await rowOf(app, 'enrolments', id)).toMatchObject({ held_until: until(10), status: 'active', hold_reason: 'on leave' });
    await holdAway(id, 14);
    expect(await rowOf(app, 'enrolments', id)).toMatchObject({ held_until: until(14), hold_reason: 'away' });
    expect(await hold(id, 2)).toEqual([id]);
    expect(await rowOf(app, 'enrolments', id)).toMatchObject({ held_until: until(2), hold_reason: 'on leave' });
    expect(await audits('enrolment', id)).toHaveLength(2);
  });

  it('what has ended is not held', async () => {
    const { id } = await insertEnrolment(app, campaign, { status: 'replied' });
    expect(await hold(id, 3)).toEqual([]);
  });
});

describe('campaign completion', () => {
  it('the last enrolment that ends completes the campaign, with one audit row of the system', async () => {
    const [first, last] = [await insertEnrolment(app, campaign), await insertEnrolment(app, campaign)];
    await end([first.id], 'replied');
    expect(await campaignStatus()).toBe('active');
    await end([last.id], 'completed');
    expect(await campaignStatus()).toBe('completed');
    expect(await audits('campaign', campaign)).toEqual([{ action: 'campaign.complete', actor: 'system' }]);
  });

  it.each(['draft', 'paused'])('a %s campaign is never completed', async (status) => {
    const { id } = await insertEnrolment(app, campaign);
    await app.db.query(sql`update campaigns set status = ${status} where id = ${campaign}`);
    await end([id], 'completed');
    expect(await campaignStatus()).toBe(status);
  });

  it('one without enrolments, one that has not begun, and an archived or deleted one stay as they are', async () => {
    expect(await app.db.tx((tx) => completeCampaigns(tx, app, [campaign]))).toEqual([]);
    await insertEnrolment(app, campaign, { status: 'stopped' });
    const tomorrow = new Date(app.clock.now().getTime() + DAY);
    for (const change of [
      sql`starts_at = ${tomorrow}`,
      sql`starts_at = null, is_archived = true`,
      sql`is_archived = false, deleted_at = ${tomorrow}`,
    ]) {
      await app.db.query(sql`update campaigns set ${change} where id = ${campaign}`);
      expect(await app.db.tx((tx) => completeCampaigns(tx, app, [campaign]))).toEqual([]);
    }
    await app.db.query(sql`update campaigns set deleted_at = null, starts_at = ${app.clock.now()} where id = ${campaign}`);
    expect(await app.db.tx((tx) => completeCampaigns(tx, app, [campaign]))).toEqual([campaign]);
  });

  it('a held enrolment, a mail on its way and a pending call keep it open', async () => {
    const held = await insertEnrolment(app, campaign, { held_until: new Date(app.clock.now().getTime() + DAY) });
    expect(await completeFinishedCampaigns(app)).not.toContain(campaign);
    const [email, call] = await app.db.query<{ id: number }>(sql`select id from steps where campaign_id = ${campaign} order by step_order`);
    const account = (await rowOf<{ account_id: number }>(app, 'campaigns', campaign)).account_id;
    const mail = await insertRow(app, 'outbox', {
      ...{ workspace_id: 1, campaign_id: campaign, enrolment_id: held.id, contact_id: held.contactId, account_id: account },
      ...{
        step_id: email?.id,
        step_order: 1,
        recipient: 'x@example.com',
        state: 'transmitting',
        message_id: `<${campaign}@x>`,
        claimed_at: app.clock.now(),
      },
    });
    await end([held.id], 'replied');
    expect(await campaignStatus()).toBe('active');
    await app.db.query(sql`update outbox set state = 'accepted' where id = ${mail}`);
    const task = await insertRow(app, 'call_tasks', {
      ...{ workspace_id: 1, campaign_id: campaign, enrolment_id: held.id, step_id: call?.id, status: 'pending' },
      ...{ due_at: app.clock.now(), created_at: app.clock.now() },
    });
    expect(await completeFinishedCampaigns(app)).not.toContain(campaign);
    await app.db.query(sql`update call_tasks set status = 'done' where id = ${task}`);
    expect(await completeFinishedCampaigns(app)).toContain(campaign);
    expect(await campaignStatus()).toBe('completed');
  });

  it('two last enrolments that end in the same instant complete it at the latest with the next tick', async () => {
    const enrolments = await Promise.all(Array.from({ length: 6 }, () => insertEnrolment(app, campaign)));
    await Promise.all(enrolments.map(({ id }) => end([id], 'stopped')));
    await completeFinishedCampaigns(app);
    expect(await campaignStatus()).toBe('completed');
    expect(await audits('campaign', campaign)).toHaveLength(1);
  });
});
