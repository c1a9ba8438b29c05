import { sql } from '../../db/statement.ts';
import type { Tx } from '../../db/transaction.ts';

/**
 * True if a contact of the campaign got, or is getting, the email or call of the step with that number, or of a later one.
 * Indexes: enrolments_page, steps_live_order, outbox_enrolment_id_step_id_key.
 */
export async function isReached(tx: Tx, campaignId: number, order: number): Promise<boolean> {
  const [row] = await tx.query<{ is_reached: boolean }>(sql`
    select exists (
        select from enrolments e where e.campaign_id = ${campaignId} and (e.current_step > ${order}::int or e.last_sent_step >= ${order}::int)
      ) or exists (
        select from steps s join enrolments e on e.campaign_id = s.campaign_id
        where s.campaign_id = ${campaignId} and s.step_order >= ${order}::int and s.deleted_at is null
          and (exists (select from outbox o where o.enrolment_id = e.id and o.step_id = s.id)
            or exists (select from call_tasks t where t.enrolment_id = e.id and t.step_id = s.id))
      ) as is_reached`);
  return row?.is_reached ?? false;
}
