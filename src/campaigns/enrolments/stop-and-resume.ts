import { audit, type Caller, notHidden, visible } from '../../access/index.ts';
import { wakeAccount } from '../../accounts/index.ts';
import type { App } from '../../app.ts';
import { suppressedCondition } from '../../contacts/index.ts';
import { conflict, notFound } from '../../core/errors.ts';
import type { Wait } from '../../core/wait-text.ts';
import { raw, sql } from '../../db/statement.ts';
import type { Tx } from '../../db/transaction.ts';
import { isDone, isOpen, isStepEmail, reopenFailed } from '../../outbox/index.ts';
import { reopenCampaign } from '../campaign/reopen.ts';
import { type Calendar, endOfWait } from '../schedule/wait.ts';
import { isCallCompleted } from '../states/call.ts';
import type { EnrolmentStatus } from '../states/enrolment.ts';
import { sendsFrom } from '../states/enrolment.ts';
import { type EnrolmentRow, getEnrolment } from './read-enrolments.ts';
import { endEnrolments } from './transitions.ts';

/** An enrolment that may be made active again, read under its row lock. */
export interface Resumable extends Calendar {
  id: number;
  campaign_id: number;
  contact_id: number;
  status: EnrolmentStatus;
  email: string;
  is_archived: boolean;
  is_deleted: boolean;
  is_suppressed: boolean;
  starts_at: Date | null;
  account_id: number;
}

/** The first live step that was not completed. */
export interface RemainingStep extends Wait {
  id: number;
  step_order: number;
  /** Time of the latest completed step; null if there is none. */
  last_done_at: Date | null;
  /** True if its email is in flight or unknown; the outcome of that email will advance the enrolment. */
  is_open: boolean;
}

/** Stops an active enrolment; one that has ended stays as it is. Throws `not_found`. */
export async function stopEnrolment(app: App, caller: Caller, id: number, reason = 'manual'): Promise<EnrolmentRow> {
  await getEnrolment(app, caller, id);
  await app.db.tx((tx) => endEnrolments(tx, app, caller, [id], { status: 'stopped', reason }));
  return getEnrolment(app, caller, id);
}

/**
 * Resumes an enrolment that ended, at its first step not yet completed; an active one stays as it is. Throws `not_found`, and
 * `conflict` when the address is suppressed, the contact is archived or deleted, or every step is completed.
 */
export async function resumeEnrolment(app: App, caller: Caller, id: number): Promise<EnrolmentRow> {
  await app.db.tx(async (tx) => {
    const enrolment = await lockResumable(tx, app, caller, id);
    if (enrolment.status === 'active') return;
    if (enrolment.is_deleted) throw conflict('the contact is deleted; restore it first');
    if (enrolment.is_archived) throw conflict(`${enrolment.email} is archived; unarchive the contact first`);
    if (enrolment.is_suppressed) throw conflict(`${enrolment.email} is suppressed and can't be emailed`);
    const step = await nextRemainingStep(tx, enrolment);
    if (step === undefined) throw conflict('this contact has completed every step of the campaign');
    await reactivate(tx, app, caller, enrolment, step);
  });
  return getEnrolment(app, caller, id);
}

/** Resumes an enrolment that was ended by mistake, unless its contact is deleted, archived or suppressed, or no step is left. */
export async function reviveEnrolment(tx: Tx, app: App, caller: Caller, id: number): Promise<void> {
  const enrolment = await lockResumable(tx, app, caller, id);
  const isKept = enrolment.status === 'active' || enrolment.is_deleted || enrolment.is_archived || enrolment.is_suppressed;
  const step = isKept ? undefined : await nextRemainingStep(tx, enrolment);
  if (step !== undefined) await reactivate(tx, app, caller, enrolment, step);
}

async function lockResumable(tx: Tx, app: App, caller: Caller, id: number): Promise<Resumable> {
  // A deleted contact is hidden everywhere else; here it is the reason for the refusal.
  const [row] = await tx.query<Resumable>(sql`
    select e.id, e.campaign_id, e.contact_id, e.status, k.email, k.is_archived, k.deleted_at is not null as is_deleted,
      ${suppressedCondition(app, raw('e.workspace_id'), raw('k.email'))} as is_suppressed, c.timezone, c.holidays, c.starts_at,
      ${sendsFrom('e', 'c')} as account_id
    from enrolments e join campaigns c on c.id = e.campaign_id and ${visible(caller, 'campaigns', 'c')}
    join contacts k on k.id = e.contact_id
    where e.id = ${id} and (k.deleted_at is not null or ${notHidden(caller, 'contacts', sql`k.id`, 1)})
    for no key update of e`);
  if (row === undefined) throw notFound('enrolment');
  return row;
}

/**
 * Returns the first live step that was not completed. Looks at emails sent and calls made, not at step numbers, which change when steps are
 * deleted. Indexes: steps_live_order, outbox_enrolment_id_step_id_key.
 */
export async function nextRemainingStep(
  tx: Tx,
  { id, campaign_id }: Pick<Resumable, 'id' | 'campaign_id'>,
): Promise<RemainingStep | undefined> {
  const [step] = await tx.query<RemainingStep>(sql`
    with done as (
      select o.step_id, coalesce(o.accepted_at, o.transmitting_at) as at from outbox o
      where o.enrolment_id = ${id} and ${isStepEmail('o')} and ${isDone('o')}
      union all
      select t.step_id, t.closed_at from call_tasks t where t.enrolment_id = ${id} and ${isCallCompleted('t')}
    )
    select s.id, s.step_order, s.wait_days, s.wait_hours, s.business_days, (select max(at) from done) as last_done_at,
      exists (select from outbox o where o.enrolment_id = ${id} and o.step_id = s.id and ${isOpen('o')}) as is_open
    from steps s
    where s.campaign_id = ${campaign_id} and s.deleted_at is null and s.step_order > coalesce((
      select max(d.step_order) from steps d join done on done.step_id = d.id where d.deleted_at is null), 0)
    order by s.step_order limit 1`);
  return step;
}

/** Returns when a step is due: at the end of its wait after the previous step, or now if that has passed. */
export function dueTimeOf(campaign: Calendar & Pick<Resumable, 'starts_at'>, step: RemainingStep, now: Date): Date {
  const { last_done_at } = step;
  const waited = last_done_at === null ? (campaign.starts_at ?? now) : endOfWait(last_done_at, step, campaign);
  return new Date(Math.max(now.getTime(), waited.getTime()));
}

async function reactivate(tx: Tx, app: App, caller: Caller, enrolment: Resumable, step: RemainingStep): Promise<void> {
  const now = app.clock.now();
  const dueAt = dueTimeOf(enrolment, step, now);
  await tx.query(sql`
    update enrolments set status = 'active', stop_reason = null, current_step = ${step.step_order},
      due_at = ${step.is_open ? null : dueAt}, failures = 0, soft_bounces = 0, updated_at = ${now},
      ended_by = null, before_end = null
    where id = ${enrolment.id}`);
  await reopenFailed(tx, enrolment.id, step.id);
  await audit(tx, caller, now, {
    action: 'enrolment.resume',
    resourceType: 'enrolment',
    resourceId: enrolment.id,
    changes: { campaign_id: enrolment.campaign_id, contact_id: enrolment.contact_id, status: [enrolment.status, 'active'] },
  });
  await reopenCampaign(tx, app, caller, enrolment.campaign_id);
  await wakeAccount(tx, enrolment.account_id, dueAt);
}
