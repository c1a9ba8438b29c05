import { audit, type Caller, differences } from '../../access/index.ts';
import type { App } from '../../app.ts';
import { invalid } from '../../core/errors.ts';
import { sql } from '../../db/statement.ts';
import type { Tx } from '../../db/transaction.ts';
import { lockSequence } from '../campaign/sequence.ts';
import { wakeCampaign } from '../campaign/wake.ts';
import { retryFailed } from '../enrolments/failures.ts';
import { rescheduleStep } from '../enrolments/reschedule.ts';
import { Step } from './entities.ts';
import { getStep, type StepRow } from './read-steps.ts';

export type NewStep = Omit<StepRow, 'id' | 'step_order'>;
export type StepPatch = { [Field in keyof Omit<NewStep, 'kind'>]?: NewStep[Field] | undefined };

const MAX_STEPS = 50;

/**
 * Appends a step, in a rotation group to every campaign. Throws `not_found`, and `invalid_request` for a call as step 1 and
 * beyond 50 steps.
 */
export async function addStep(app: App, caller: Caller, campaignId: number, input: NewStep): Promise<StepRow> {
  const id = await app.db.tx(async (tx) => {
    let added = 0;
    for (const member of await lockSequence(tx, caller, campaignId)) {
      const step = await appendTo(tx, app, caller, member, input);
      if (member === campaignId) added = step;
    }
    return added;
  });
  return getStep(app.db, caller, campaignId, id);
}

async function appendTo(tx: Tx, app: App, caller: Caller, campaignId: number, input: NewStep): Promise<number> {
  const now = app.clock.now();
  const [row] = await tx.query<{ count: number }>(
    sql`select count(*)::int as count from steps where campaign_id = ${campaignId} and deleted_at is null`,
  );
  const order = (row?.count ?? 0) + 1;
  if (order > MAX_STEPS) throw invalid(`a campaign has at most ${MAX_STEPS} steps`);
  if (order === 1 && input.kind === 'call') throw invalid("kind: step 1 can't be a call");
  const step = tx.em.create(Step, { campaign_id: campaignId, step_order: order, ...input, created_at: now, updated_at: now });
  await tx.em.flush();
  await audit(tx, caller, now, {
    action: 'step.create',
    resourceType: 'campaign',
    resourceId: campaignId,
    changes: { step_id: step.id, step_order: order, kind: input.kind },
  });
  return step.id;
}

/**
 * Changes the given fields of a step, in a rotation group in every campaign; null removes a B variant. A changed wait applies
 * at once, and emails held because of the old content are tried again. Throws `not_found`.
 */
export async function changeStep(app: App, caller: Caller, campaignId: number, id: number, patch: StepPatch): Promise<StepRow> {
  await app.db.tx(async (tx) => {
    const members = await lockSequence(tx, caller, campaignId);
    const { step_order: order } = await getStep(tx, caller, campaignId, id);
    for (const member of members) {
      const step = await tx.em.findOne(Step, { campaign_id: member, step_order: order, deleted_at: null });
      if (step !== null) await save(tx, app, caller, step, patch);
    }
  });
  return getStep(app.db, caller, campaignId, id);
}

async function save(tx: Tx, app: App, caller: Caller, step: Step, patch: StepPatch): Promise<void> {
  const { campaign_id: campaignId, step_order: order } = step;
  const given = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
  const changes = differences(step, given);
  if (Object.keys(changes).length === 0) return;
  const now = app.clock.now();
  Object.assign(step, given, { updated_at: now });
  await audit(tx, caller, now, {
    action: 'step.update',
    resourceType: 'campaign',
    resourceId: campaignId,
    changes: { step_id: step.id, ...changes },
  });
  const { wait_days, ...content } = changes;
  if (wait_days !== undefined) await rescheduleStep(tx, campaignId, order);
  if (Object.keys(content).length > 0) await retryFailed(tx, campaignId, order, now);
  await wakeCampaign(tx, campaignId, now);
}
