import { type Caller, visible } from '../../access/index.ts';
import { notFound } from '../../core/errors.ts';
import { type Queryable, sql } from '../../db/statement.ts';
import { campaignCounts, statsColumns } from '../../events/index.ts';

/** Statistics of a campaign. `sent` counts emails and `steps` counts steps; all others count contacts. */
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

/** Reads the statistics of a campaign, which are the same for everyone who can see it. Throws `not_found`. Index: steps_live_order. */
export async function campaignStats(db: Queryable, caller: Caller, campaignId: number): Promise<CampaignStats> {
  const [row] = await db.query<CampaignStats>(sql`
    select ${statsColumns},
      (select count(*)::int from steps t where t.campaign_id = c.id and t.deleted_at is null) as steps
    from campaigns c left join (${campaignCounts(sql`select ${campaignId}::int`)}) n on n.campaign_id = c.id
    where c.id = ${campaignId} and ${visible(caller, 'campaigns', 'c')}`);
  if (row === undefined) throw notFound('campaign');
  return row;
}
