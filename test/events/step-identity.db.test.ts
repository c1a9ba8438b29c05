import { expect, it } from 'vitest';
import { deleteStep, insertStep, listSteps } from '../../src/campaigns/index.ts';
import { DAY } from '../../src/core/clock.ts';
import type { EventType } from '../../src/core/event-types.ts';
import { sql } from '../../src/db/statement.ts';
import { listCampaignEvents, recordEvents, wasLogged } from '../../src/events/index.ts';
import { campaignReport, rotationReport } from '../../src/reports/index.ts';
import { joinInGroup } from '../support/rows.ts';
import { sendingInstallation, startSender } from '../support/sender.ts';

/** "Steps have an identity: events, reports and 'was it logged' go by it; `step_order` in the API is the step's present position, and a
 * deleted step has a row of its own in reports". */

const { installation, sink } = await sendingInstallation();
const { app, caller, clock } = installation;
const NEW_STEP = { kind: 'email', subject: '', body_html: '<p>new</p>', subject_b: null, body_html_b: null, wait_days: 1 } as const;

/** A campaign of three steps, whose contact was sent the first two. */
async function twoSent() {
  const sender = await startSender(installation, sink, { steps: [{}, { wait_days: 1 }, { wait_days: 1 }] });
  await sender.batch();
  clock.advance(DAY);
  await sender.batch();
  const steps = await listSteps(app.db, caller, sender.campaignId);
  return { ...sender, steps: steps.map(({ id }) => id) };
}

async function emailOf(stepId = 0) {
  const [email] = await app.db.query<{ emailId: number; enrolmentId: number; contactId: number; stepOrder: number }>(sql`
    select id as "emailId", enrolment_id as "enrolmentId", contact_id as "contactId", step_order as "stepOrder" from outbox where step_id = ${stepId}`);
  if (email === undefined) throw new Error(`step ${stepId} was not sent`);
  return email;
}

const log = (campaignId: number, of: { enrolmentId: number; contactId: number; stepOrder: number; emailId?: number }, type: EventType) =>
  app.db.tx((tx) => recordEvents(tx, [{ workspaceId: caller.workspaceId, campaignId, ...of, type, at: clock.now() }]));

async function eventsOf(campaignId: number) {
  const { data } = await listCampaignEvents(app.db, caller, campaignId, undefined, { limit: 50, offset: 0 });
  return data.map(({ type, step_order }) => `${type} ${step_order}`).toReversed();
}

async function rowsOf(campaignId: number, measure: 'sent' | 'replied' | 'bounced') {
  const { rows } = await campaignReport(app, caller, campaignId, { by: 'step', domains: 10 });
  return rows.map((row) => `${row.step_order}${row.is_deleted ? ' deleted' : ''}: ${row[measure]}`);
}

it('a step in front of one that was sent moves the events of that, and has none of its own', async () => {
  const { campaignId } = await twoSent();
  await insertStep(app, caller, campaignId, 2, NEW_STEP);
  expect(await eventsOf(campaignId)).toEqual(['enrolled 1', 'sent 1', 'sent 3']);
  expect(await rowsOf(campaignId, 'sent')).toEqual(['1: 1', '3: 1']);
});

it('what a contact does after the deletion of a step belongs to the last email, and not to that of the same number', async () => {
  const { campaignId, steps } = await twoSent();
  await deleteStep(app, caller, campaignId, steps[0] ?? 0);
  const { enrolmentId, contactId } = await emailOf(steps[1]);
  await log(campaignId, { enrolmentId, contactId, stepOrder: 1 }, 'replied');
  expect(await rowsOf(campaignId, 'replied')).toEqual(['1: 1', '1 deleted: 0']);
});

it('a bounce of a deleted step says nothing about the step that has its number now', async () => {
  const { campaignId, steps, batch } = await twoSent();
  const deleted = await emailOf(steps[1]);
  await log(campaignId, deleted, 'bounced');
  await deleteStep(app, caller, campaignId, steps[1] ?? 0);
  clock.advance(2 * DAY);
  await batch();
  const { emailId } = await emailOf(steps[2]);
  expect(await wasLogged(app.db, deleted.emailId, 'bounced')).toBe(true);
  expect(await wasLogged(app.db, emailId, 'bounced')).toBe(false);
  expect(await rowsOf(campaignId, 'bounced')).toEqual(['1: 0', '2: 0', '2 deleted: 1']);
});

it('"a deleted step has a row of its own in reports", and its copies in a rotation group have one together', async () => {
  const [first, second] = [await twoSent(), await twoSent()];
  await joinInGroup(app, [first.campaignId, second.campaignId]);
  const ticking = {
    now: () => {
      clock.advance(1);
      return clock.now();
    },
  };
  await deleteStep({ ...app, clock: ticking }, caller, first.campaignId, first.steps[1] ?? 0);
  const { rows } = await rotationReport(app, caller, first.campaignId, { by: 'step', domains: 10 });
  expect(rows.map(({ step_order, is_deleted, sent }) => ({ step_order, is_deleted, sent }))).toEqual([
    { step_order: 1, is_deleted: false, sent: 2 },
    { step_order: 2, is_deleted: true, sent: 2 },
  ]);
});
