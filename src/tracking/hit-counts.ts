import { type Caller, notHidden, requireVisible } from '../access/index.ts';
import { type Queryable, raw, type Sql, sql } from '../db/statement.ts';

/** Number of requests for images or links in a campaign's emails by one kind of client. */
export interface HitCount {
  kind: 'opened' | 'clicked';
  /** `person`, or why it counts as a machine. */
  by: string;
  hits: number;
  contacts: number;
  last_at: string;
}

/**
 * Counts all opens and clicks of a campaign, for contacts whom the caller may see, including those by machines, which neither the feed nor
 * the statistics show. Throws `not_found`. Meant for operators, because it reads all hits of the campaign. Indexes: enrolments_page,
 * outbox_enrolment_id_step_id_key, tracking_hits_mail.
 */
export async function countHits(db: Queryable, caller: Caller, campaignId: number): Promise<HitCount[]> {
  await requireVisible(db, caller, 'campaigns', campaignId);
  return db.query<HitCount>(sql`
    select h.kind, coalesce(h.machine, 'person') as by, count(*)::int as hits, count(distinct o.contact_id)::int as contacts,
      to_char(max(h.at) at time zone 'utc', 'YYYY-MM-DD HH24:MI:SS') as last_at
    from enrolments e join outbox o on o.enrolment_id = e.id join tracking_hits h on h.outbox_id = o.id
    where e.campaign_id = ${campaignId} and ${notHidden(caller, 'contacts', sql`o.contact_id`)} group by 1, 2 order by 1 desc, hits desc, 2`);
}

/** Condition: a person or machine has fetched an image or link of the email whose id is in column `emailId`. Index: tracking_hits_mail. */
export const wasFetched = (emailId: string): Sql => sql`exists (select 1 from tracking_hits h where h.outbox_id = ${raw(emailId)})`;
