import { audit, type Caller } from '../../access/index.ts';
import type { App } from '../../app.ts';
import { conflict, invalid } from '../../core/errors.ts';
import { sql } from '../../db/statement.ts';
import type { Tx } from '../../db/transaction.ts';
import { lockSequence } from '../campaign/sequence.ts';
import { wakeCampaign } from '../campaign/wake.ts';
import { releaseStep } from '../enrolments/content-hold.ts';
import { retryFailed } from '../enrolments/failures.ts';
import { isReached } from '../enrolments/reached.ts';
import { rescheduleStep } from '../enrolments/reschedule.ts';
import type { StepKind } from '../states/step.ts';
import { giveSubjects } from './give-subjects.ts';
import { getStep, listSteps, type StepRow } from './read-steps.ts';

/** Larger than any number of a step, so that numbers stay unique while they change. */
const TEMPORARY_OFFSET = 1_000;

/**
 * Moves a step to another position in the sequence, in a rotation group in every campaign. If the step that becomes the first has no
 * subject, it gets the subjects of the previous first step. Contacts who wait for a position continue with the step that is then there.
 * Throws `not_found`, `invalid_request` for a position that does not exist, and `conflict` if a call would become step 1, or if a contact
 * has reached one of the steps that change places and would miss one step or get another twice.
 */
export async function moveStep(app: App, caller: Caller, campaignId: number, id: number, order: number): Promise<StepRow[]> {
  await app.db.tx(async (tx) => {
    const members = await lockSequence(tx, caller, campaignId);
    const { step_order: from } = await getStep(tx, caller, campaignId, id);
    for (const member of members) await moveIn(tx, app, caller, member, from, order);
  });
  return listSteps(app.db, caller, campaignId);
}

async function moveIn(tx: Tx, app: App, caller: Caller, campaignId: number, from: number, to: number): Promise<void> {
  const now = app.clock.now();
  const steps = await tx.query<{ id: number; kind: StepKind }>(
    sql`select id, kind from steps where campaign_id = ${campaignId} and deleted_at is null order by step_order`,
  );
  if (to < 1 || to > steps.length) throw invalid(`step_order: must be from 1 to ${steps.length}`);
  const moved = steps[from - 1];
  if (from === to || moved === undefined) return;
  const sorted = steps.toSpliced(from - 1, 1).toSpliced(to - 1, 0, moved);
  if (sorted[0]?.kind === 'call') throw conflict("a call can't become step 1");
  const first = Math.min(from, to);
  if (await isReached(tx, campaignId, first))
    throw conflict(`contacts have reached step ${first}, so the order can't change from there on; copy the campaign instead`);
  await renumber(
    tx,
    campaignId,
    sorted.map((step) => step.id),
  );
  if (first === 1) await giveSubjects(tx, steps[0]?.id ?? 0, sorted[0]?.id ?? 0, now);
  await rescheduleStep(tx, campaignId, first);
  await retryFailed(tx, campaignId, first, now);
  await releaseStep(tx, campaignId, first, now);
  await wakeCampaign(tx, campaignId, now);
  const changes = { step_id: moved.id, step_order: { from, to } };
  await audit(tx, caller, now, { action: 'step.move', resourceType: 'campaign', resourceId: campaignId, changes });
}

/** Numbers the steps in the order of their ids. The unique index is checked row by row, so all steps first get temporary numbers. */
async function renumber(tx: Tx, campaignId: number, ids: readonly number[]): Promise<void> {
  await tx.query(
    sql`update steps set step_order = step_order + ${TEMPORARY_OFFSET}::int where campaign_id = ${campaignId} and deleted_at is null`,
  );
  await tx.query(sql`
    update steps s set step_order = n.step_order from unnest(${ids}::int[]) with ordinality as n (id, step_order) where s.id = n.id`);
}
