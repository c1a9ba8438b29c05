import { sql } from '../db/statement.ts';
import type { Tx } from '../db/transaction.ts';

/*
 * A campaign's row of counters, in campaign_stats, is also its lock: code that enrols into a campaign, logs its events,
 * recounts or completes it holds that row. Rows are locked in id order, and before the campaign's own row.
 */

/** Creates the counters of new campaigns, all zero. */
export async function createCounters(tx: Tx, campaignIds: readonly number[]): Promise<void> {
  await tx.query(sql`insert into campaign_stats (campaign_id) select unnest(${campaignIds}::int[])`);
}

/** Locks campaigns, in id order, against anything else that counts or completes them. */
export async function lockCampaigns(tx: Tx, campaignIds: readonly number[]): Promise<void> {
  await tx.query(sql`
    select 1 from campaign_stats s where s.campaign_id = any(${campaignIds}::int[]) order by s.campaign_id for no key update`);
}

/** Locks one campaign, creating its counters if they are missing. Returns the number of contacts in each A/B group. */
export async function lockForCounting(tx: Tx, campaignId: number): Promise<{ variant_a: number; variant_b: number }> {
  const [row] = await tx.query<{ variant_a: number; variant_b: number }>(sql`
    insert into campaign_stats as s (campaign_id) values (${campaignId}) on conflict (campaign_id) do update set contacts = s.contacts
    returning variant_a, variant_b`);
  return row ?? { variant_a: 0, variant_b: 0 };
}

/** Adds new enrolments, each with its A/B group, to the counters of a locked campaign. */
export async function countEnrolments(tx: Tx, campaignId: number, enrolments: readonly { variant: 'A' | 'B' | null }[]): Promise<void> {
  const inGroup = (variant: 'A' | 'B') => enrolments.filter((row) => row.variant === variant).length;
  await tx.query(sql`
    update campaign_stats set contacts = contacts + ${enrolments.length}, variant_a = variant_a + ${inGroup('A')},
      variant_b = variant_b + ${inGroup('B')} where campaign_id = ${campaignId}`);
}
