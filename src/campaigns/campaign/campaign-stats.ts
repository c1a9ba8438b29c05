import { type Caller, visible } from '../../access/index.ts';
import { notFound } from '../../core/errors.ts';
import { type Queryable, sql } from '../../db/statement.ts';
import { hiddenCounts, seenCounts } from '../../events/index.ts';

/** Statistics of a campaign: `sent` counts emails, `steps` steps, the others contacts. */
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

/**
 * Reads the statistics of a campaign from its counters, less the share of contacts that are hidden from the caller.
 * Throws `not_found`. Index: steps_live_order.
 */
export async function campaignStats(db: Queryable, caller: Caller, campaignId: number): Promise<CampaignStats> {
  const [row] = await db.query<CampaignStats>(sql`
    select ${seenCounts},
      (select count(*)::int from steps t where t.campaign_id = c.id and t.deleted_at is null) as steps
    from campaigns c left join campaign_stats s on s.campaign_id = c.id
    left join (${hiddenCounts(caller, sql`select ${campaignId}::int`)}) h on h.campaign_id = c.id
    where c.id = ${campaignId} and ${visible(caller, 'campaigns', 'c')}`);
  if (row === undefined) throw notFound('campaign');
  return row;
}
