import { type Caller, type Changes, changeRecord, createRecord, type RecordKind } from '../../access/index.ts';
import type { App } from '../../app.ts';
import { invalid, notFound } from '../../core/errors.ts';
import { type Queryable, sql } from '../../db/statement.ts';
import type { Tx } from '../../db/transaction.ts';
import { checkAuthorHtml } from '../../html/author-html.ts';
import { withSnippets } from '../../templates/index.ts';
import { lockSequence } from '../campaign/sequence.ts';
import { wakeCampaign } from '../campaign/wake.ts';
import { releaseStep } from '../enrolments/content-hold.ts';
import { retryFailed } from '../enrolments/failures.ts';
import { rescheduleStep } from '../enrolments/reschedule.ts';
import type { Step } from './entities.ts';
import { getStep, type StepRow, type StepTiming } from './read-steps.ts';

/** A step to add; its wait is in calendar days unless it says otherwise. */
export type NewStep = Omit<StepRow, 'id' | 'step_order'> & Partial<StepTiming>;
export type StepPatch = { [Field in keyof Omit<NewStep, 'kind'>]?: NewStep[Field] | undefined };

/** Callers who may change a campaign may change its steps; `lockSequence` checks that. Audit entries are those of the campaign. */
const STEP: RecordKind<Step> = {
  entity: 'Step',
  resourceType: 'step',
  missing: () => notFound('step'),
  visible: () => sql`t.deleted_at is null`,
  auditedOn: ({ id, campaign_id }) => ({ resourceType: 'campaign', resourceId: campaign_id, changes: { step_id: id } }),
};
const MAX_STEPS = 50;

/**
 * Appends a step, in a rotation group to every campaign. Throws `not_found`, and `invalid_request` for a call as step 1, for more than 50
 * steps, and for HTML that can't be sent.
 */
export async function addStep(app: App, caller: Caller, campaignId: number, given: NewStep): Promise<StepRow> {
  const id = await app.db.tx(async (tx) => {
    const input = { ...given, ...(await expandTemplates(tx, caller, given.kind, given)) };
    checkBodies(input.kind, input);
    let added = 0;
    for (const member of await lockSequence(tx, caller, campaignId)) {
      const step = await appendTo(tx, app, caller, member, input);
      if (member === campaignId) added = step;
    }
    return added;
  });
  return getStep(app.db, caller, campaignId, id);
}

type Bodies = Pick<StepPatch, 'body_html' | 'body_html_b'>;

/**
 * Replaces `{{> name}}` in the bodies of an email by the template with that name. A name that no template has remains as an unknown
 * placeholder, which holds the email. Throws `invalid_request` for a name of several templates, and for a body that becomes too long.
 */
export async function expandTemplates(db: Queryable, caller: Caller, kind: StepRow['kind'], bodies: Bodies): Promise<Bodies> {
  if (kind !== 'email') return {};
  const written: Bodies = {};
  for (const field of ['body_html', 'body_html_b'] as const) {
    const body = bodies[field];
    if (body != null) written[field] = (await withSnippets(db, caller, field, body)).html;
  }
  return written;
}

/** Checks the HTML of an email's bodies. The notes of a call are text for the person who makes it. */
function checkBodies(kind: StepRow['kind'], { body_html, body_html_b }: StepPatch): void {
  if (kind !== 'email') return;
  if (body_html !== undefined) checkAuthorHtml('body_html', body_html);
  if (body_html_b != null) checkAuthorHtml('body_html_b', body_html_b);
}

async function appendTo(tx: Tx, app: App, caller: Caller, campaignId: number, input: NewStep): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    sql`select count(*)::int as count from steps where campaign_id = ${campaignId} and deleted_at is null`,
  );
  const order = (row?.count ?? 0) + 1;
  if (order > MAX_STEPS) throw invalid(`a campaign has at most ${MAX_STEPS} steps`);
  if (order === 1 && input.kind === 'call') throw invalid("kind: step 1 can't be a call");
  return createStep(tx, app, caller, campaignId, order, input);
}

/** Creates a step at an unused position, in the caller's transaction. Returns its id. */
export async function createStep(tx: Tx, app: App, caller: Caller, campaignId: number, order: number, input: NewStep): Promise<number> {
  const now = app.clock.now();
  const data = { campaign_id: campaignId, step_order: order, ...input, created_at: now, updated_at: now };
  const step = await createRecord(tx, app, caller, STEP, data, { audited: { step_order: order, kind: input.kind } });
  return step.id;
}

/**
 * Changes the given fields of a step, in a rotation group in every campaign; null removes a B variant. A changed wait applies immediately,
 * and emails held because of the old content are tried again. Throws `not_found`, and `invalid_request` for HTML that can't be sent.
 */
export async function changeStep(app: App, caller: Caller, campaignId: number, id: number, given: StepPatch): Promise<StepRow> {
  await app.db.tx(async (tx) => {
    const members = await lockSequence(tx, caller, campaignId);
    const { step_order: order, kind } = await getStep(tx, caller, campaignId, id);
    const patch = { ...given, ...(await expandTemplates(tx, caller, kind, given)) };
    checkBodies(kind, patch);
    const steps = await tx.query<{ id: number; campaign_id: number }>(sql`
      select id, campaign_id from steps
      where campaign_id = any(${members}::int[]) and step_order = ${order} and deleted_at is null order by campaign_id`);
    for (const step of steps) {
      const changes = await changeRecord(tx, app, caller, STEP, step.id, { verb: 'update', patch });
      if (changes !== undefined) await applyChanges(tx, step.campaign_id, order, changes, app.clock.now());
    }
  });
  return getStep(app.db, caller, campaignId, id);
}

/** Applies the changes of a step to the enrolments that wait for it: a new wait reschedules them, new content retries the failed emails. */
async function applyChanges(
  tx: Tx,
  campaignId: number,
  order: number,
  { wait_days, wait_hours, business_days, ...content }: Changes,
  now: Date,
): Promise<void> {
  if ([wait_days, wait_hours, business_days].some((change) => change !== undefined)) await rescheduleStep(tx, campaignId, order);
  if (Object.keys(content).length > 0) {
    await retryFailed(tx, campaignId, order, now);
    await releaseStep(tx, campaignId, order, now);
  }
  await wakeCampaign(tx, campaignId, now);
}
