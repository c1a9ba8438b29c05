import { audit, type Caller, daemon, differences, requireVisible } from '../access/index.ts';
import { wakeAccount } from '../accounts/index.ts';
import type { App } from '../app.ts';
import { type Queryable, sql, type Tx } from '../db.ts';
import { conflict, invalid, notFound } from '../errors.ts';
import { lockCampaign } from './campaign.ts';
import { endEnrolments } from './enrolment-transitions.ts';
import { type Campaign, Step, type StepKind } from './entities.ts';

/** A step as the API shows it. */
export interface StepRow {
  id: number;
  step_order: number;
  subject: string;
  body_html: string;
  subject_b: string | null;
  body_html_b: string | null;
  wait_days: number;
  kind: StepKind;
}

export interface NewStep {
  body_html: string;
  subject: string;
  subject_b: string | null;
  body_html_b: string | null;
  wait_days: number;
  kind: StepKind;
}

export type StepPatch = { [Field in keyof Omit<NewStep, 'kind'>]?: NewStep[Field] | undefined };

const MAX_STEPS = 50;
const columns = sql`s.id, s.step_order, s.subject, s.body_html, s.subject_b, s.body_html_b, s.wait_days, s.kind`;

/** The steps of a campaign in order. Throws `not_found`. Index: steps_live_order. */
export async function listSteps(db: Queryable, caller: Caller, campaignId: number): Promise<StepRow[]> {
  await requireVisible(db, caller, 'campaigns', campaignId);
  return db.query<StepRow>(
    sql`select ${columns} from steps s where s.campaign_id = ${campaignId} and s.deleted_at is null order by s.step_order`,
  );
}

/** Throws `not_found` unless the step belongs to a campaign that the caller can see. */
export async function getStep(db: Queryable, caller: Caller, campaignId: number, id: number): Promise<StepRow> {
  await requireVisible(db, caller, 'campaigns', campaignId);
  const [row] = await db.query<StepRow>(
    sql`select ${columns} from steps s where s.id = ${id} and s.campaign_id = ${campaignId} and s.deleted_at is null`,
  );
  if (row === undefined) throw notFound('step');
  return row;
}

/** Appends a step; in a rotation group to every campaign of it. Throws `invalid_request` for a call as step 1. */
export async function addStep(app: App, caller: Caller, campaignId: number, input: NewStep): Promise<StepRow> {
  const now = app.clock.now();
  const id = await app.db.tx(async (tx) => {
    const campaign = await lockCampaign(tx, caller, campaignId);
    let made: number | undefined;
    for (const sibling of await rotationOf(tx, campaign)) {
      const [row] = await tx.query<{ count: number }>(
        sql`select count(*)::int as count from steps where campaign_id = ${sibling} and deleted_at is null`,
      );
      const order = (row?.count ?? 0) + 1;
      if (order > MAX_STEPS) throw invalid(`a campaign has at most ${MAX_STEPS} steps`);
      if (order === 1 && input.kind === 'call') throw invalid('kind: a call can not be step 1');
      const step = tx.em.create(Step, { campaign_id: sibling, step_order: order, ...input, created_at: now, updated_at: now });
      await tx.em.flush();
      if (sibling === campaignId) made = step.id;
      await audit(tx, caller, now, {
        action: 'step.create',
        resourceType: 'campaign',
        resourceId: sibling,
        changes: { step_id: step.id, step_order: order, kind: input.kind },
      });
    }
    return made ?? 0;
  });
  return getStep(app.db, caller, campaignId, id);
}

/** Changes the given fields of a step; a null takes a B variant away. In a rotation group the step of all campaigns. */
export async function changeStep(app: App, caller: Caller, campaignId: number, id: number, patch: StepPatch): Promise<StepRow> {
  const now = app.clock.now();
  await app.db.tx(async (tx) => {
    const campaign = await lockCampaign(tx, caller, campaignId);
    const { step_order: order } = await getStep(tx, caller, campaignId, id);
    const changed = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
    for (const sibling of await rotationOf(tx, campaign)) {
      const step = await tx.em.findOne(Step, { campaign_id: sibling, step_order: order, deleted_at: null });
      if (step === null) continue;
      const changes = differences(step, changed);
      if (Object.keys(changes).length === 0) continue;
      Object.assign(step, changed, { updated_at: now });
      await tx.em.flush();
      await audit(tx, caller, now, {
        action: 'step.update',
        resourceType: 'campaign',
        resourceId: sibling,
        changes: { step_id: step.id, ...changes },
      });
    }
  });
  return getStep(app.db, caller, campaignId, id);
}

/**
 * Takes a step out and renumbers the rest 1..n; contacts on it go on with the one that followed, those for whom none is
 * left complete. Sent history stays. Throws `conflict` when a call would become step 1.
 */
export async function deleteStep(app: App, caller: Caller, campaignId: number, id: number): Promise<void> {
  const now = app.clock.now();
  await app.db.tx(async (tx) => {
    const campaign = await lockCampaign(tx, caller, campaignId);
    const { step_order: order } = await getStep(tx, caller, campaignId, id);
    for (const sibling of await rotationOf(tx, campaign)) {
      const steps = await tx.query<{ id: number; step_order: number; kind: StepKind }>(sql`
        select id, step_order, kind from steps where campaign_id = ${sibling} and deleted_at is null order by step_order for no key update`);
      const step = steps.find((candidate) => candidate.step_order === order);
      if (step === undefined) continue;
      if (order === 1 && steps[1]?.kind === 'call') throw conflict('step 1 can not be deleted while step 2 is a call');
      await tx.query(sql`update steps set deleted_at = ${now}, updated_at = ${now} where id = ${step.id}`);
      // One by one and upwards: the unique index is checked row by row.
      for (const later of steps.filter((candidate) => candidate.step_order > order))
        await tx.query(sql`update steps set step_order = step_order - 1 where id = ${later.id}`);
      await moveOffStep(tx, app, sibling, step.id, order, steps.length - 1);
      await audit(tx, caller, now, {
        action: 'step.delete',
        resourceType: 'campaign',
        resourceId: sibling,
        changes: { step_id: step.id, step_order: order },
      });
    }
  });
}

async function moveOffStep(tx: Tx, app: App, campaignId: number, stepId: number, order: number, left: number): Promise<void> {
  const now = app.clock.now();
  // A call that waited for a person is over; whoever waited for it is due for what follows.
  await tx.query(sql`
    with cancelled as (update call_tasks set status = 'cancelled', closed_at = ${now} where step_id = ${stepId} and status = 'pending' returning enrolment_id)
    update enrolments e set due_at = ${now} from cancelled k where e.id = k.enrolment_id and e.status = 'active'`);
  await tx.query(sql`
    update enrolments set current_step = greatest(current_step - 1, 1), updated_at = ${now}
    where campaign_id = ${campaignId} and current_step > ${order}`);
  await tx.query(sql`
    update enrolments set last_sent_step = last_sent_step - 1 where campaign_id = ${campaignId} and last_sent_step > ${order}`);
  const over = await tx.query<{ id: number; workspace_id: number }>(sql`
    select id, workspace_id from enrolments where campaign_id = ${campaignId} and status = 'active' and current_step > ${left} and ${left} > 0`);
  const [first] = over;
  if (first !== undefined)
    await endEnrolments(
      tx,
      app,
      daemon(first.workspace_id),
      over.map((row) => row.id),
      { status: 'completed' },
    );
  const [campaign] = await tx.query<{ account_id: number }>(sql`select account_id from campaigns where id = ${campaignId}`);
  if (campaign !== undefined) await wakeAccount(tx, campaign.account_id, now);
}

/** The campaigns that share this one's sequence, itself first: its rotation group, or itself alone. */
async function rotationOf(tx: Tx, campaign: Campaign): Promise<number[]> {
  if (campaign.rotation_group_id == null) return [campaign.id];
  const rows = await tx.query<{ id: number }>(sql`
    select id from campaigns where rotation_group_id = ${campaign.rotation_group_id} and deleted_at is null and id <> ${campaign.id} order by id for no key update`);
  return [campaign.id, ...rows.map((row) => row.id)];
}
