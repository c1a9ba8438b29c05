import { audit, type Caller, daemon } from '../../access/index.ts';
import type { App } from '../../app.ts';
import { conflict } from '../../core/errors.ts';
import { sql } from '../../db/statement.ts';
import type { Tx } from '../../db/transaction.ts';
import { lockSequence } from '../campaign/sequence.ts';
import { wakeCampaign } from '../campaign/wake.ts';
import { rescheduleStep } from '../enrolments/reschedule.ts';
import { endEnrolments } from '../enrolments/transitions.ts';
import type { StepKind } from './entities.ts';
import { getStep } from './read-steps.ts';

/**
 * Deletes a step, in a rotation group from every campaign, and renumbers the rest 1..n. Contacts waiting for it continue with
 * the next step, after that step's wait; those with no step left complete, unless the campaign has none at all. What was sent
 * stays on record. Throws `not_found`, and `conflict` if a call would become step 1.
 */
export async function deleteStep(app: App, caller: Caller, campaignId: number, id: number): Promise<void> {
  await app.db.tx(async (tx) => {
    const members = await lockSequence(tx, caller, campaignId);
    const { step_order: order } = await getStep(tx, caller, campaignId, id);
    for (const member of members) await deleteFrom(tx, app, caller, member, order);
  });
}

async function deleteFrom(tx: Tx, app: App, caller: Caller, campaignId: number, order: number): Promise<void> {
  const now = app.clock.now();
  const steps = await tx.query<{ id: number; step_order: number; kind: StepKind }>(
    sql`select id, step_order, kind from steps where campaign_id = ${campaignId} and deleted_at is null order by step_order`,
  );
  const step = steps.find((candidate) => candidate.step_order === order);
  if (step === undefined) return;
  if (order === 1 && steps[1]?.kind === 'call') throw conflict("step 1 can't be deleted while step 2 is a call");
  await tx.query(sql`update steps set deleted_at = ${now}, updated_at = ${now} where id = ${step.id}`);
  // One by one in ascending order, since the unique index is checked row by row.
  for (const later of steps.filter((candidate) => candidate.step_order > order))
    await tx.query(sql`update steps set step_order = step_order - 1 where id = ${later.id}`);
  await renumberEnrolments(tx, app, campaignId, step.id, order);
  if (steps.length > 1) await completeBeyond(tx, app, campaignId, steps.length - 1);
  await rescheduleStep(tx, campaignId, order);
  await wakeCampaign(tx, campaignId, now);
  await audit(tx, caller, now, {
    action: 'step.delete',
    resourceType: 'campaign',
    resourceId: campaignId,
    changes: { step_id: step.id, step_order: order },
  });
}

/** Moves enrolments to the new numbers. Those on the deleted step lose its call, failures and hold. */
async function renumberEnrolments(tx: Tx, app: App, campaignId: number, stepId: number, order: number): Promise<void> {
  const now = app.clock.now();
  await tx.query(sql`
    with cancelled as (
      update call_tasks set status = 'cancelled', closed_at = ${now} where step_id = ${stepId} and status = 'pending' returning enrolment_id)
    update enrolments e set due_at = ${now} from cancelled k where e.id = k.enrolment_id and e.status = 'active'`);
  await tx.query(sql`
    update enrolments set failures = 0, soft_bounces = 0, hold_reason = case when held_until is not null then hold_reason end
    where campaign_id = ${campaignId} and current_step = ${order} and status = 'active'`);
  // last_sent_step never becomes 0, which means that nothing was sent.
  await tx.query(sql`
    update enrolments set current_step = case when current_step > ${order} then current_step - 1 else current_step end,
      last_sent_step = case when last_sent_step >= ${order} then greatest(last_sent_step - 1, 1) else last_sent_step end,
      updated_at = ${now}
    where campaign_id = ${campaignId} and (current_step > ${order} or last_sent_step >= ${order})`);
}

/** Completes the active enrolments that are past the last step. Indexes: enrolments_active, enrolments_page. */
async function completeBeyond(tx: Tx, app: App, campaignId: number, left: number): Promise<void> {
  const over = await tx.query<{ id: number; workspace_id: number }>(sql`
    select id, workspace_id from enrolments where campaign_id = ${campaignId} and status = 'active' and current_step > ${left}`);
  const [first] = over;
  const ids = over.map((row) => row.id);
  if (first !== undefined) await endEnrolments(tx, app, daemon(first.workspace_id), ids, { status: 'completed' });
  await tx.query(sql`update enrolments set current_step = ${left} where campaign_id = ${campaignId} and current_step > ${left}`);
}
