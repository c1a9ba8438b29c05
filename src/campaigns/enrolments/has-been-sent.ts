import { type Queryable, sql } from '../../db/statement.ts';
import { sequenceOf } from '../campaign/sequence.ts';

/**
 * Returns true once an email of the campaign, or of its rotation group, was sent or is on its way. Indexes: enrolments_page,
 * outbox_enrolment_id_step_id_key.
 */
export async function hasBeenSent(db: Queryable, campaignId: number): Promise<boolean> {
  const [row] = await db.query<{ sent: boolean }>(sql`
    select exists (select from enrolments e where e.campaign_id = any(${await sequenceOf(db, campaignId)}::int[])
      and (e.last_sent_step > 0 or exists (select from outbox o where o.enrolment_id = e.id))) as sent`);
  return row?.sent ?? false;
}
