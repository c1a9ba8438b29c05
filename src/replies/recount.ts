import type { App } from '../app.ts';
import { sql } from '../db/statement.ts';
import type { Tx } from '../db/transaction.ts';
import { type Correction, lockCampaigns, recountEach } from '../events/index.ts';

/**
 * Recounts the replies of every campaign and corrects the totals that differ. Locks one campaign at a time. Returns the corrections, whose
 * `counter` is `replies/<kind>/<audience>`; none are expected unless the tables were edited by hand.
 */
export const recountReplies = (app: App): Promise<Correction[]> => recountEach(app, recountCampaignReplies);

/** A missing counter counts as zero. Index: replies_campaign. */
async function recountCampaignReplies(tx: Tx, campaignId: number): Promise<Correction[]> {
  await lockCampaigns(tx, [campaignId]);
  return tx.query<Correction>(sql`
    with counted as (
      select r.kind, contact_audience(k.deleted_at, k.is_shared_to_all, k.created_by) as audience, r.is_read, r.account_id,
        coalesce(r.label, '') as label, coalesce(r.assigned_to, 0) as assigned_to, month_of(r.received_at) as month,
        count(*) as count
      from replies r join contacts k on k.id = r.contact_id and k.deleted_at is null where r.campaign_id = ${campaignId}
      group by 1, 2, 3, 4, 5, 6, 7
    ), wrong as (
      select kind, audience, is_read, account_id, label, assigned_to, month, coalesce(n.count, 0) as stored, coalesce(c.count, 0) as counted
      from counted c full join (select * from reply_counts where campaign_id = ${campaignId}) n
        using (kind, audience, is_read, account_id, label, assigned_to, month)
      where coalesce(n.count, 0) <> coalesce(c.count, 0)
    ), corrected as (
      insert into reply_counts (campaign_id, kind, audience, is_read, account_id, label, assigned_to, month, count)
      select ${campaignId}::int, kind, audience, is_read, account_id, label, assigned_to, month, counted from wrong
      on conflict (campaign_id, kind, audience, is_read, account_id, label, assigned_to, month) do update set count = excluded.count
    )
    select ${campaignId}::int as campaign_id, 'replies/' || kind || '/' || audience as counter, sum(stored)::int as stored,
      sum(counted)::int as counted from wrong group by kind, audience order by counter`);
}
