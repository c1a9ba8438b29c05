import { sql } from '../../db/statement.ts';
import type { Tx } from '../../db/transaction.ts';

/** Copies the live steps of a campaign into new campaigns, with their attachments. Index: steps_live_order. */
export async function copySteps(tx: Tx, campaignId: number, copies: readonly number[], now: Date): Promise<void> {
  await tx.query(sql`
    insert into steps (campaign_id, step_order, kind, subject, body_html, subject_b, body_html_b, wait_days, wait_hours, business_days, attachments, created_at, updated_at)
    select copy.id, s.step_order, s.kind, s.subject, s.body_html, s.subject_b, s.body_html_b, s.wait_days, s.wait_hours, s.business_days, s.attachments, ${now}::timestamptz, ${now}::timestamptz
    from steps s cross join unnest(${copies}::int[]) as copy (id) where s.campaign_id = ${campaignId} and s.deleted_at is null
    order by copy.id, s.step_order`);
}
