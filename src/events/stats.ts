import { type Caller, visible } from '../access/index.ts';
import { type Queryable, sql } from '../db.ts';
import { notFound } from '../errors.ts';

/** What a campaign has achieved: `sent` counts mails, `steps` steps, the others contacts. */
export interface CampaignStats {
  contacts: number;
  steps: number;
  sent: number;
  opened: number;
  clicked: number;
  replied: number;
  bounced: number;
  failed: number;
}

/** The statistics of a campaign, from counters that every event keeps exact. Throws `not_found`. Index: steps_live_order. */
export async function campaignStats(db: Queryable, caller: Caller, campaignId: number): Promise<CampaignStats> {
  const [row] = await db.query<CampaignStats>(sql`
    select coalesce(s.contacts, 0) as contacts,
      (select count(*)::int from steps t where t.campaign_id = c.id and t.deleted_at is null) as steps,
      coalesce(s.sent, 0) as sent, coalesce(s.opened, 0) as opened, coalesce(s.clicked, 0) as clicked,
      coalesce(s.replied, 0) as replied, coalesce(s.bounced, 0) as bounced, coalesce(s.failed, 0) as failed
    from campaigns c left join campaign_stats s on s.campaign_id = c.id
    where c.id = ${campaignId} and ${visible(caller, 'campaigns', 'c')}`);
  if (row === undefined) throw notFound('campaign');
  return row;
}
