import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { daemon } from '../../src/access/index.ts';
import type { App } from '../../src/app.ts';
import { completeCampaigns } from '../../src/campaigns/campaign/completion.ts';
import { advanceEnrolments, type CompletedStep } from '../../src/campaigns/enrolments/advance.ts';
import { endEnrolments } from '../../src/campaigns/enrolments/transitions.ts';
import { openDueCalls } from '../../src/campaigns/lifecycle/open-due-calls.ts';
import type { ManualClock } from '../../src/core/clock.ts';
import { sql } from '../../src/db/statement.ts';
import { TEST_START, testInstallation } from '../support/database.ts';
import { type Enrolled, insertAccount, insertCampaign, insertEnrolment, insertRow, rowOf } from '../support/rows.ts';

let app: App;
let clock: ManualClock;
let mailbox: number;

beforeAll(async () => {
  ({ app, clock } = await testInstallation());
  mailbox = await insertAccount(app);
});
beforeEach(() => clock.set(TEST_START));

const advance = (...moves: CompletedStep[]) => app.db.tx(async (tx) => completeCampaigns(tx, app, await advanceEnrolments(tx, app, moves)));
const mailed = (enrolment: Enrolled, stepOrder: number, at = app.clock.now()): CompletedStep => ({
  enrolmentId: enrolment.id,
  stepOrder,
  at,
  sentFrom: mailbox,
});
const stand = (enrolment: Enrolled) => rowOf(app, 'enrolments', enrolment.id);

/** Inserts the outbox row of an email, which names the step itself. */
async function insertMail(enrolment: Enrolled, stepOrder: number): Promise<void> {
  const [step] = await app.db.query<{ id: number }>(
    sql`select id from steps where campaign_id = ${enrolment.campaignId} and step_order = ${stepOrder} and deleted_at is null`,
  );
  const { account_id } = await rowOf<{ account_id: number }>(app, 'campaigns', enrolment.campaignId);
  await insertRow(app, 'outbox', {
    ...{ workspace_id: 1, campaign_id: enrolment.campaignId, enrolment_id: enrolment.id, contact_id: enrolment.contactId, account_id },
    ...{ step_id: step?.id, step_order: stepOrder, recipient: 'x@example.com', state: 'accepted' },
    ...{ message_id: `<${enrolment.id}.${stepOrder}@x>`, claimed_at: app.clock.now() },
  });
}

describe('advancing enrolments', () => {
  it('goes to the next step, due wait_days calendar days after the send at the same local time of the campaign', async () => {
    const campaign = await insertCampaign(app, { timezone: 'Europe/Berlin' }, [{}, { wait_days: 3 }]);
    const enrolment = await insertEnrolment(app, campaign, { failures: 2, due_at: app.clock.now() });
    // Thursday before the clocks go forward in Berlin: 10:20 there, three days later one hour earlier in UTC.
    await advance(mailed(enrolment, 1, new Date('2027-03-25T09:20:00Z')));
    expect(await stand(enrolment)).toMatchObject({
      status: 'active',
      current_step: 2,
      due_at: new Date('2027-03-28T08:20:00Z'),
      last_sent_at: new Date('2027-03-25T09:20:00Z'),
      last_sent_step: 1,
      failures: 0,
    });
  });

  it('completes at once after the last step, and the campaign with the last enrolment', async () => {
    const campaign = await insertCampaign(app, {}, [{}, {}]);
    const [done, other] = [await insertEnrolment(app, campaign, { current_step: 2 }), await insertEnrolment(app, campaign)];
    await advance(mailed(done, 2), mailed(other, 1));
    expect(await stand(done)).toMatchObject({ status: 'completed', current_step: 2, due_at: null, last_sent_step: 2 });
    expect(await stand(other)).toMatchObject({ status: 'active', current_step: 2, due_at: app.clock.now() });
    expect((await rowOf(app, 'campaigns', campaign)).status).toBe('active');
    await advance(mailed(other, 2));
    expect((await rowOf(app, 'campaigns', campaign)).status).toBe('completed');
  });

  it('keeps the mailbox of the mail and forgets what failed before; a call changes neither', async () => {
    const campaign = await insertCampaign(app, {}, [{}, { kind: 'call' }, {}]);
    const enrolment = await insertEnrolment(app, campaign, { soft_bounces: 2, hold_reason: 'refused' });
    await advance(mailed(enrolment, 1));
    expect(await stand(enrolment)).toMatchObject({ account_id: mailbox, soft_bounces: 0, hold_reason: null });
    const held = new Date(Date.now() + 3_600_000);
    await app.db.query(
      sql`update enrolments set soft_bounces = 1, hold_reason = 'on leave', held_until = ${held} where id = ${enrolment.id}`,
    );
    await advance({ enrolmentId: enrolment.id, stepOrder: 2, at: app.clock.now(), sentFrom: null });
    expect(await stand(enrolment)).toMatchObject({ account_id: mailbox, soft_bounces: 1, hold_reason: 'on leave', held_until: held });
    await advance(mailed(enrolment, 3));
    expect(await stand(enrolment)).toMatchObject({ status: 'completed', hold_reason: null, held_until: null });
  });

  it('keeps a hold, with its reason, that was set while the mail was on its way', async () => {
    const campaign = await insertCampaign(app, {}, [{}, {}]);
    const until = new Date(clock.now().getTime() + 3_600_000);
    const held = await insertEnrolment(app, campaign, { held_until: until, hold_reason: 'on leave' });
    const over = await insertEnrolment(app, campaign, { held_until: clock.now(), hold_reason: 'on leave' });
    await advance(mailed(held, 1), mailed(over, 1));
    expect(await stand(held)).toMatchObject({ status: 'active', current_step: 2, held_until: until, hold_reason: 'on leave' });
    expect(await stand(over)).toMatchObject({ status: 'active', current_step: 2, hold_reason: null });
  });

  it('cancels the calls that waited for an enrolment that completes', async () => {
    const campaign = await insertCampaign(app, {}, [{}, { kind: 'call' }]);
    const enrolment = await insertEnrolment(app, campaign, { current_step: 2, last_sent_step: 1, due_at: app.clock.now() });
    expect(await openDueCalls(app)).toBe(1);
    await advance(mailed(enrolment, 2));
    expect(await app.db.query(sql`select status from call_tasks where enrolment_id = ${enrolment.id}`)).toEqual([{ status: 'cancelled' }]);
  });

  it('an enrolment that ended while its mail was on its way stays ended and remembers the mail', async () => {
    const campaign = await insertCampaign(app, {}, [{}, {}]);
    const enrolment = await insertEnrolment(app, campaign, { status: 'replied' });
    await advance(mailed(enrolment, 1));
    expect(await stand(enrolment)).toMatchObject({
      status: 'replied',
      current_step: 1,
      due_at: null,
      last_sent_step: 1,
      last_sent_at: app.clock.now(),
    });
    expect((await rowOf(app, 'campaigns', campaign)).status).toBe('completed');
  });

  it('moves enrolments of several campaigns, each by its own zone and wait, in one call', async () => {
    const berlin = await insertCampaign(app, { timezone: 'Europe/Berlin' }, [{}, { wait_days: 1 }]);
    const apia = await insertCampaign(app, { timezone: 'Pacific/Apia' }, [{}, { wait_days: 10 }]);
    const [one, two] = [await insertEnrolment(app, berlin), await insertEnrolment(app, apia)];
    await advance(mailed(one, 1), mailed(two, 1));
    expect((await stand(one)).due_at).toEqual(new Date('2026-07-08T12:00:00Z'));
    expect((await stand(two)).due_at).toEqual(new Date('2026-07-17T12:00:00Z'));
  });

  it('a step deleted while its mail was on its way costs nobody the step after it', async () => {
    const campaign = await insertCampaign(app, {}, [{}, { body_html: 'deleted' }, { body_html: 'next' }, { body_html: 'last' }]);
    const [second, first] = [await insertEnrolment(app, campaign, { current_step: 2 }), await insertEnrolment(app, campaign)];
    await insertMail(second, 2);
    await insertMail(first, 1);
    await app.db.query(sql`update steps set deleted_at = now() where campaign_id = ${campaign} and step_order = 2`);
    await app.db.query(sql`update steps set step_order = 2 where campaign_id = ${campaign} and step_order = 3`);
    await app.db.query(sql`update steps set step_order = 3 where campaign_id = ${campaign} and step_order = 4`);
    await advance(mailed(second, 2), mailed(first, 1));
    expect(await stand(second)).toMatchObject({ status: 'active', current_step: 2, last_sent_step: 1 });
    expect(await stand(first)).toMatchObject({ status: 'active', current_step: 2, last_sent_step: 1 });
  });
});

describe('call steps', () => {
  const tasksOf = (enrolment: Enrolled) =>
    app.db.query<{ id: number; status: string; due_at: string }>(
      sql`select id, status, due_at from call_tasks where enrolment_id = ${enrolment.id}`,
    );

  it('get a task on the Calls page when they fall due, not before; then the enrolment waits for it', async () => {
    const campaign = await insertCampaign(app, {}, [{}, { kind: 'call', wait_days: 2 }, {}]);
    const enrolment = await insertEnrolment(app, campaign);
    await advance(mailed(enrolment, 1));
    expect(await openDueCalls(app)).toBe(0);
    clock.set('2026-07-09T12:00:00Z');
    expect(await openDueCalls(app)).toBe(1);
    expect(await openDueCalls(app)).toBe(0);
    const [task] = await tasksOf(enrolment);
    expect(task).toMatchObject({ status: 'pending' });
    expect(new Date(task?.due_at ?? '')).toEqual(app.clock.now());
    expect(await stand(enrolment)).toMatchObject({ status: 'active', current_step: 2, due_at: null, last_sent_step: 1 });
    await app.db.query(sql`update call_tasks set status = 'done' where id = ${task?.id}`);
    await advance({ enrolmentId: enrolment.id, stepOrder: 2, at: app.clock.now(), sentFrom: null });
    expect(await stand(enrolment)).toMatchObject({
      current_step: 3,
      due_at: app.clock.now(),
      last_sent_step: 1,
      last_sent_at: new Date(TEST_START),
    });
  });

  it('stay closed while the campaign is paused or has not begun, or the enrolment is held', async () => {
    const campaign = await insertCampaign(app, {}, [{}, { kind: 'call' }]);
    const enrolment = await insertEnrolment(app, campaign, { current_step: 2, last_sent_step: 1, due_at: app.clock.now() });
    const later = new Date('2026-07-08T12:00:00Z');
    for (const [table, change] of [
      ['campaigns', sql`status = 'paused'`],
      ['campaigns', sql`status = 'active', starts_at = ${later}`],
      ['enrolments', sql`held_until = ${later}`],
    ] as const) {
      if (table === 'campaigns') await app.db.query(sql`update campaigns set ${change} where id = ${campaign}`);
      else await app.db.query(sql`update enrolments set ${change} where id = ${enrolment.id}`);
      expect(await openDueCalls(app)).toBe(0);
    }
    clock.set(later);
    expect(await openDueCalls(app)).toBe(1);
  });

  it('open only inside the window of the campaign: its days, its hours, those of group B and of the contact', async () => {
    const weekdays = await insertCampaign(app, { sending_days: [4] }, [{}, { kind: 'call' }]);
    const morning = await insertCampaign(app, { sending_hour_start: 8, sending_hour_end: 10 }, [{}, { kind: 'call' }]);
    const halves = { ab_test_enabled: true, sending_hour_start_b: 15, sending_hour_end_b: 16 };
    const split = await insertCampaign(app, halves, [{}, { kind: 'call' }]);
    const atCall = { current_step: 2, last_sent_step: 1, due_at: app.clock.now() };
    await insertEnrolment(app, weekdays, atCall);
    await insertEnrolment(app, morning, atCall);
    await insertEnrolment(app, split, { ...atCall, variant: 'B' });
    await app.db.query(sql`
      insert into custom_fields (workspace_id, name, key, field_type, created_at)
      values (1, 'Zone', 'timezone', 'text', ${app.clock.now()})`);
    const abroad = await insertCampaign(app, { use_contact_timezone: true }, [{}, { kind: 'call' }]);
    await insertEnrolment(app, abroad, { ...atCall, timezone: 'Asia/Tokyo' });
    const opened = async (at: string) => {
      clock.set(at);
      await openDueCalls(app);
      const campaigns = [weekdays, morning, split, abroad];
      const rows = await app.db.query<{ campaign_id: number }>(
        sql`select campaign_id from call_tasks where campaign_id = any(${campaigns}::int[]) order by id`,
      );
      return rows.map((row) => ['weekdays', 'morning', 'split', 'abroad'][campaigns.indexOf(row.campaign_id)]);
    };
    // Tuesday noon, UTC; 21:00 in Tokyo.
    expect(await opened('2026-07-07T12:00:00Z')).toEqual([]);
    expect(await opened('2026-07-07T15:00:00Z')).toEqual(['split']);
    expect(await opened('2026-07-08T07:59:00Z')).toEqual(['split', 'abroad']);
    expect(await opened('2026-07-08T08:00:00Z')).toEqual(['split', 'abroad', 'morning']);
    expect(await opened('2026-07-09T09:00:00Z')).toEqual(['split', 'abroad', 'morning', 'weekdays']);
  });

  it('a cancelled task is opened again when the enrolment goes on', async () => {
    const campaign = await insertCampaign(app, {}, [{}, { kind: 'call' }]);
    const enrolment = await insertEnrolment(app, campaign, { current_step: 2, last_sent_step: 1, due_at: app.clock.now() });
    await openDueCalls(app);
    await app.db.tx((tx) => endEnrolments(tx, app, daemon(1), [enrolment.id], { status: 'stopped' }));
    expect(await tasksOf(enrolment)).toMatchObject([{ status: 'cancelled' }]);
    await app.db.query(sql`update enrolments set status = 'active', due_at = ${app.clock.now()} where id = ${enrolment.id}`);
    await app.db.query(sql`update campaigns set status = 'active' where id = ${campaign}`);
    expect(await openDueCalls(app)).toBe(1);
    expect(await tasksOf(enrolment)).toMatchObject([{ status: 'pending' }]);
  });

  it('several daemons open each due call once', async () => {
    const campaign = await insertCampaign(app, {}, [{}, { kind: 'call' }]);
    const enrolments = await Promise.all(
      [...Array(40)].map(() => insertEnrolment(app, campaign, { current_step: 2, last_sent_step: 1, due_at: app.clock.now() })),
    );
    const opened = await Promise.all([...Array(6)].map(() => openDueCalls(app)));
    expect(opened.reduce((sum, count) => sum + count)).toBe(enrolments.length);
  });
});
