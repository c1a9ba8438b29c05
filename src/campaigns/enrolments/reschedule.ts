import type { Wait } from '../../core/wait-text.ts';
import { type Sql, sql } from '../../db/statement.ts';
import type { Tx } from '../../db/transaction.ts';
import { type Calendar, endOfWait } from '../schedule/wait.ts';
import { isCallCompleted } from '../states/call.ts';
import { isWaiting } from '../states/enrolment.ts';

interface Waiting extends Wait, Calendar {
  id: number;
  last_done_at: Date;
}

/**
 * Recomputes when a step is due for the contacts waiting for it, after its wait or its position has changed. The wait runs from each
 * contact's last completed step. Leaves out contacts without a completed step, and emails already tried, which keep the time of their next
 * attempt. Indexes: steps_live_order, enrolments_active, outbox_enrolment_id_step_id_key.
 */
export const rescheduleStep = (tx: Tx, campaignId: number, stepOrder: number): Promise<void> =>
  reschedule(tx, sql`e.campaign_id = ${campaignId} and e.current_step = ${stepOrder}`);

/**
 * Recomputes when enrolments are due whose email was released. If its step was deleted in the meantime, they are at a step with a wait of
 * its own, and would otherwise get that step immediately. Indexes: enrolments_pkey, steps_live_order, outbox_enrolment_id_step_id_key.
 */
export const rescheduleMoved = (tx: Tx, ids: readonly number[]): Promise<void> => reschedule(tx, sql`e.id = any(${ids}::int[])`);

async function reschedule(tx: Tx, which: Sql): Promise<void> {
  const waiting = await tx.query<Waiting>(sql`
    select w.* from (
      select e.id, c.timezone, c.holidays, s.wait_days, s.wait_hours, s.business_days, greatest(e.last_sent_at, (
        select max(k.closed_at) from call_tasks k where k.enrolment_id = e.id and ${isCallCompleted('k')})) as last_done_at
      from enrolments e
      join campaigns c on c.id = e.campaign_id
      join steps s on s.campaign_id = e.campaign_id and s.step_order = e.current_step and s.deleted_at is null
      where ${which} and ${isWaiting('e')}
        and not exists (select from outbox o where o.enrolment_id = e.id and o.step_id = s.id)
    ) w where w.last_done_at is not null`);
  if (waiting.length === 0) return;
  const due = waiting.map((step) => ({ id: step.id, due_at: endOfWait(step.last_done_at, step, step) }));
  await tx.query(sql`
    update enrolments e set due_at = d.due_at from jsonb_to_recordset(${JSON.stringify(due)}::jsonb) as d (id int, due_at timestamptz)
    where e.id = d.id and e.status = 'active' and e.due_at is not null`);
}
