import { daemon } from '../../access/index.ts';
import type { App } from '../../app.ts';
import { sql } from '../../db/statement.ts';
import type { Tx } from '../../db/transaction.ts';
import { cancelCallsOfStep } from '../calls/cancel-calls.ts';
import { enrolmentIs, isHeldForContent, isHeldForProvider } from '../states/enrolment.ts';
import { setReleasedDue } from './due.ts';
import { DELIVERY_UNKNOWN } from './failures.ts';
import { noteCause } from './subsequences.ts';
import { endEnrolments } from './transitions.ts';

/**
 * Moves enrolments to the new step numbers after a step was deleted. Enrolments on that step lose its call, failures and hold, but still
 * wait for an email whose delivery is unknown.
 */
export async function renumberEnrolments(tx: Tx, app: App, campaignId: number, step: { id: number; order: number }): Promise<void> {
  const now = app.clock.now();
  const { order } = step;
  await tx.query(sql`with cancelled as (${cancelCallsOfStep(step.id, now)}) ${setReleasedDue('cancelled', now)}`);
  await tx.query(sql`
    update enrolments set failures = 0, soft_bounces = 0,
      hold_reason = case when held_until is not null or ${isHeldForProvider('enrolments')} or hold_reason = ${DELIVERY_UNKNOWN} then hold_reason end,
      due_at = case when ${isHeldForContent('enrolments')} then ${now} else due_at end,
      hold_kind = nullif(hold_kind, 'content'), content_fault = null, content_version = null
    where campaign_id = ${campaignId} and current_step = ${order} and status = 'active'`);
  // last_sent_step never becomes 0, which would mean that nothing was sent.
  await tx.query(sql`
    update enrolments set current_step = case when current_step > ${order} then current_step - 1 else current_step end,
      last_sent_step = case when last_sent_step >= ${order} then greatest(last_sent_step - 1, 1) else last_sent_step end,
      updated_at = ${now}
    where campaign_id = ${campaignId} and (current_step > ${order} or last_sent_step >= ${order})`);
}

/**
 * Moves enrolments to the new step numbers before a step is inserted in front of another. Contacts who wait for the other step, and have
 * had nothing of it, will get the new one first. All contacts further on move up by one number. Indexes: enrolments_active,
 * outbox_enrolment_id_step_id_key.
 */
export async function makeRoomForStep(tx: Tx, campaignId: number, next: { id: number; order: number }, now: Date): Promise<void> {
  const { id, order } = next;
  await tx.query(sql`
    update enrolments e set current_step = e.current_step + 1,
      last_sent_step = case when e.last_sent_step >= ${order} then e.last_sent_step + 1 else e.last_sent_step end, updated_at = ${now}
    where e.campaign_id = ${campaignId} and (e.current_step > ${order} or e.last_sent_step >= ${order}
      or e.current_step = ${order} and (${enrolmentIs('e', 'completed')} or ${enrolmentIs('e', 'active')} and e.due_at is null and e.hold_kind is null
        or exists (select from outbox o where o.enrolment_id = e.id and o.step_id = ${id})))`);
}

/**
 * Completes the active enrolments that are past the last step, and sets them back to the number of that step. Indexes: enrolments_active,
 * enrolments_page.
 */
export async function completeBeyond(tx: Tx, app: App, campaignId: number, lastStep: number): Promise<void> {
  const over = await tx.query<{ id: number; workspace_id: number }>(sql`
    select id, workspace_id from enrolments where campaign_id = ${campaignId} and status = 'active' and current_step > ${lastStep}`);
  const [first] = over;
  const ids = over.map((row) => row.id);
  if (first !== undefined)
    await noteCause(
      tx,
      await endEnrolments(tx, app, daemon(first.workspace_id), ids, { status: 'completed' }),
      'finished',
      app.clock.now(),
    );
  await tx.query(sql`update enrolments set current_step = ${lastStep} where campaign_id = ${campaignId} and current_step > ${lastStep}`);
}
