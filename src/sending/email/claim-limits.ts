import { isSequenceOf } from '../../campaigns/index.ts';
import { localDay, zoneOrUtc } from '../../core/zone.ts';
import { type Queryable, sql } from '../../db/statement.ts';
import type { Tx } from '../../db/transaction.ts';
import { limitedEmails } from '../../outbox/index.ts';
import { DayLeft, type DayLimits, type UsedToday } from '../plan/day-left.ts';

/**
 * First key of the advisory locks that serialize counting against a campaign's limits; the second is the campaign or, negated, its group.
 */
const DAY_LIMIT_LOCK = 4_891_026;

/**
 * Reads the rest of a campaign's daily limits, and locks out all other workers that claim for the campaign or its rotation group until the
 * transaction ends. Returns null for a campaign without limits. Indexes: campaigns_pkey, campaigns_rotation, outbox_limited.
 */
export async function lockDayLeft(tx: Tx, campaignId: number, now: Date): Promise<DayLeft | null> {
  await tx.query(sql`
    select pg_advisory_xact_lock(${DAY_LIMIT_LOCK}::int, coalesce(c.rotation_group_id, c.id)) from campaigns c where c.id = ${campaignId}`);
  const [campaign] = await tx.query<DayLimits & { timezone: string }>(
    sql`select c.timezone, c.new_contacts_per_day, c.max_per_company_per_day from campaigns c where c.id = ${campaignId}`,
  );
  if (campaign === undefined || (campaign.new_contacts_per_day === null && campaign.max_per_company_per_day === null)) return null;
  const day = localDay(now, zoneOrUtc(campaign.timezone));
  return new DayLeft(campaign, campaign.timezone, now, await usedOn(tx, campaignId, day));
}

/**
 * Counts the emails that a campaign and its rotation group have sent or are sending on a day. Indexes: campaigns_rotation, outbox_limited.
 */
export async function usedOn(db: Queryable, campaignId: number, day: string): Promise<UsedToday> {
  const rows = await db.query<{ domain: string; emails: number; first: number }>(sql`
    select address_domain(o.recipient) as domain, count(*)::int as emails, (count(*) filter (where o.is_first))::int as first
    from campaigns c join outbox o on o.campaign_id = c.id and ${limitedEmails('o', day)}
    where ${isSequenceOf('c', campaignId)} group by 1`);
  return {
    first: rows.reduce((sum, row) => sum + row.first, 0),
    companies: rows.map(({ domain, emails }) => [domain, emails] as const),
  };
}
