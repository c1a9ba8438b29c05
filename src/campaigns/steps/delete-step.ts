import { audit, type Caller } from '../../access/index.ts';
import type { App } from '../../app.ts';
import { conflict } from '../../core/errors.ts';
import { sql } from '../../db/statement.ts';
import type { Tx } from '../../db/transaction.ts';
import { lockSequence } from '../campaign/sequence.ts';
import { wakeCampaign } from '../campaign/wake.ts';
import { completeBeyond, renumberEnrolments } from '../enrolments/renumber.ts';
import { rescheduleStep } from '../enrolments/reschedule.ts';
import type { StepKind } from '../states/step.ts';
import { giveSubjects } from './give-subjects.ts';
import { getStep } from './read-steps.ts';

/**
 * Deletes a step, in a rotation group from every campaign, and renumbers the rest 1..n. Contacts waiting for it continue with the next
 * step, after that step's wait. Contacts with no step left complete, unless the campaign has no steps at all. Emails that were sent stay on
 * record. If the step that becomes the first has no subject, it gets the subjects of the deleted one. Throws `not_found`, and `conflict` if
 * a call would become step 1.
 */
export async function deleteStep(app: App, caller: Caller, campaignId: number, id: number): Promise<void> {
  await app.db.tx(async (tx) => {
    const members = await lockSequence(tx, caller, campaignId);
    const { step_order: order } = await getStep(tx, caller, campaignId, id);
    // The same instant for all, because reports use it to find the copies of a deleted step.
    const now = app.clock.now();
    for (const member of members) await deleteFrom(tx, app, caller, member, order, now);
  });
}

async function deleteFrom(tx: Tx, app: App, caller: Caller, campaignId: number, order: number, now: Date): Promise<void> {
  const steps = await tx.query<{ id: number; step_order: number; kind: StepKind }>(
    sql`select id, step_order, kind from steps where campaign_id = ${campaignId} and deleted_at is null order by step_order`,
  );
  const step = steps.find((candidate) => candidate.step_order === order);
  if (step === undefined) return;
  if (order === 1 && steps[1]?.kind === 'call') throw conflict("step 1 can't be deleted while step 2 is a call");
  await tx.query(sql`update steps set deleted_at = ${now}, updated_at = ${now}, attachments = '[]' where id = ${step.id}`);
  // One by one in ascending order, because the unique index is checked row by row.
  for (const later of steps.filter((candidate) => candidate.step_order > order))
    await tx.query(sql`update steps set step_order = step_order - 1 where id = ${later.id}`);
  const next = order === 1 ? steps[1] : undefined;
  const heir = next !== undefined && (await giveSubjects(tx, step.id, next.id, now)) ? next : undefined;
  await renumberEnrolments(tx, app, campaignId, { id: step.id, order });
  if (steps.length > 1) await completeBeyond(tx, app, campaignId, steps.length - 1);
  await rescheduleStep(tx, campaignId, order);
  await wakeCampaign(tx, campaignId, now);
  await audit(tx, caller, now, {
    action: 'step.delete',
    resourceType: 'campaign',
    resourceId: campaignId,
    changes: { step_id: step.id, step_order: order, ...(heir === undefined ? {} : { subjects_to_step_id: heir.id }) },
  });
}
