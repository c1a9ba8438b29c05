import { audit, type Caller } from '../../access/index.ts';
import { wakeAccount } from '../../accounts/index.ts';
import type { App } from '../../app.ts';
import { suppressedCondition } from '../../contacts/index.ts';
import { raw, sql } from '../../db/statement.ts';
import type { Tx } from '../../db/transaction.ts';
import { isLogged } from '../../events/index.ts';
import { reopenCampaign } from '../campaign/reopen.ts';
import { wakeCampaign } from '../campaign/wake.ts';
import { sendsFrom } from '../states/enrolment.ts';
import { type EnrolmentSnapshot, snapshotOf, withoutReply } from './snapshot.ts';
import { dueTimeOf, nextRemainingStep } from './stop-and-resume.ts';
import { noteCause } from './subsequences.ts';
import { type End, endEnrolments } from './transitions.ts';

interface Affected {
  id: number;
  workspace_id: number;
  campaign_id: number;
  contact_id: number;
  current_step: number;
  timezone: string;
  holidays: string | null;
  starts_at: Date | null;
  snapshot: EnrolmentSnapshot;
}

/**
 * Restores enrolments to the state that they would have without a reply: enrolments that it ended, enrolments of the company and of the
 * address that it stopped, and enrolments of the contact that it held. Retract the events and suppressions of the reply first. Afterwards
 * apply the later replies and call `continueEnrolments`. Indexes: enrolments_pkey, enrolments_ended_by, enrolments_contact.
 * @returns the ids of the enrolments, including that of the reply
 */
export async function undoReply(tx: Tx, app: App, caller: Caller, replyId: number, enrolmentId: number): Promise<number[]> {
  const affected = await tx.query<Affected>(sql`
    select e.id, e.workspace_id, e.campaign_id, e.contact_id, e.current_step, c.timezone, c.holidays, c.starts_at, ${snapshotOf('e')} as snapshot
    from enrolments e join campaigns c on c.id = e.campaign_id
    where e.id = ${enrolmentId} or e.ended_by = ${replyId}
      or (e.contact_id = (select contact_id from enrolments where id = ${enrolmentId}) and e.held_by = ${replyId}) order by e.id for no key update of e`);
  for (const enrolment of affected) await restore(tx, app, caller, enrolment, replyId);
  return affected.map(({ id }) => id);
}

async function restore(tx: Tx, app: App, caller: Caller, enrolment: Affected, replyId: number): Promise<void> {
  const { id, workspace_id: workspaceId, campaign_id, contact_id, snapshot } = enrolment;
  const before = withoutReply(snapshot, replyId);
  const isRevived = before.status === 'active' && snapshot.status !== 'active';
  const restored = isRevived ? await revivedOf(tx, enrolment, before, app.clock.now()) : before;
  if (JSON.stringify(restored) === JSON.stringify(snapshot)) return;
  const now = app.clock.now();
  await write(tx, id, restored, now);
  if (snapshot.status === restored.status) return wakeCampaign(tx, campaign_id, now);
  if (restored.status === 'completed') await noteCause(tx, [id], 'finished', now);
  await audit(tx, { ...caller, workspaceId }, now, {
    action: 'enrolment.restore',
    resourceType: 'enrolment',
    resourceId: id,
    changes: { campaign_id, contact_id, reply_id: replyId, status: [snapshot.status, restored.status] },
  });
}

/** Columns of an enrolment that waits for no cause. */
const NO_HOLD = { hold_kind: null, content_fault: null, content_version: null } as const;

/** Brings a state that is active again up to date with the emails sent and calls made in the meantime. */
async function revivedOf(
  tx: Tx,
  enrolment: Affected,
  before: EnrolmentSnapshot,
  now: Date,
): Promise<EnrolmentSnapshot & { current_step?: number }> {
  const step = await nextRemainingStep(tx, enrolment);
  if (step === undefined)
    return {
      ...before,
      status: 'completed',
      due_at: null,
      ...NO_HOLD,
      held_until: null,
      hold_reason: null,
      held_by: null,
      before_hold: null,
    };
  if (step.is_open) return { ...before, due_at: null, ...NO_HOLD, current_step: step.step_order };
  // A call that was pending was cancelled, and opens again when it is due.
  const waited = before.due_at !== null || before.hold_kind !== null;
  if (waited && step.step_order === enrolment.current_step) return { ...before, current_step: step.step_order };
  return { ...before, due_at: dueTimeOf(enrolment, step, now).toISOString(), ...NO_HOLD, current_step: step.step_order };
}

const write = (tx: Tx, id: number, to: EnrolmentSnapshot & { current_step?: number }, now: Date) =>
  tx.query(sql`
    update enrolments set status = ${to.status}, stop_reason = ${to.stop_reason}, current_step = coalesce(${to.current_step ?? null}::int, current_step),
      due_at = ${to.due_at}::timestamptz, hold_kind = ${to.hold_kind}, held_until = ${to.held_until}::timestamptz, hold_reason = ${to.hold_reason}, held_by = ${to.held_by},
      before_hold = ${jsonOf(to.before_hold)}::jsonb, content_fault = ${to.content_fault}, content_version = ${to.content_version},
      ended_by = ${to.ended_by}, before_end = ${jsonOf(to.before_end)}::jsonb, updated_at = ${now}
    where id = ${id}`);

const jsonOf = (value: object | null) => (value === null ? null : JSON.stringify(value));

/**
 * Continues the restored enrolments that are active, and reopens campaigns that were completed. An enrolment ends instead if its email
 * bounced since the reply, its contact was archived or deleted, or its address is suppressed.
 * @param since the time at which the reply came in
 */
export async function continueEnrolments(tx: Tx, app: App, caller: Caller, ids: readonly number[], since: Date): Promise<void> {
  const now = app.clock.now();
  const active = await tx.query<{ id: number; workspace_id: number; campaign_id: number; account_id: number; end: End | null }>(sql`
    select e.id, e.workspace_id, e.campaign_id, ${sendsFrom('e', 'c')} as account_id,
      case when ${isLogged('e.id', 'bounced', since)} then jsonb_build_object('status', 'bounced')
        when k.deleted_at is not null then jsonb_build_object('status', 'stopped', 'reason', 'contact_deleted')
        when k.is_archived then jsonb_build_object('status', 'stopped', 'reason', 'contact_archived')
        when ${suppressedCondition(app, raw('e.workspace_id'), raw('k.email'))} then jsonb_build_object('status', 'stopped', 'reason', 'suppressed')
        end as "end"
    from enrolments e join campaigns c on c.id = e.campaign_id join contacts k on k.id = e.contact_id
    where e.id = any(${ids}::int[]) and e.status = 'active' order by e.id`);
  for (const { id, workspace_id: workspaceId, campaign_id, account_id, end } of active) {
    if (end !== null) await endEnrolments(tx, app, { ...caller, workspaceId }, [id], end);
    else {
      await reopenCampaign(tx, app, { ...caller, workspaceId }, campaign_id);
      await wakeAccount(tx, account_id, now);
    }
  }
}
