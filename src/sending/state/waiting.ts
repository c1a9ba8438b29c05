import { enrolmentIs, isDue, isNotHeld, isWaiting, sendsFrom } from '../../campaigns/index.ts';
import { empty, prepared, type Queryable, type Sql, sql } from '../../db/statement.ts';

/** Number of due emails in one part of a campaign, and the time at which the next becomes due. */
export interface WaitingRow {
  campaign_id: number;
  /** Null if variants are not distinguished. */
  is_b: boolean | null;
  is_follow_up: boolean;
  /** Time zone of its contacts, empty for contacts without one; null if time zones are not distinguished. */
  timezone: string | null;
  /** Number of due emails, up to `atMost`. */
  due: number;
  /** Time at which the next email becomes due; null if no email will. */
  next_due: Date | null;
}

/** Parts of campaigns' queues, each of which an index stores in the order of due times. */
interface Parts {
  /** Columns of enrolment `e` that identify its part: time zone and variant, null if not distinguished. */
  of: Sql;
  /** A query that lists the parts: `campaign_id`, `account_id`, `timezone`, `variant`, `is_follow_up`. */
  list: Sql;
  /** Condition: enrolment `e` is in part `p`. */
  has: Sql;
}

/**
 * Counts the emails due for this account in campaigns, first emails and follow-ups separately. Reads only the first entries of an index,
 * and the held enrolments, which are few. Leaves out parts in which nothing waits. Indexes: enrolments_active, enrolments_held.
 */
export async function waitingInKinds(
  db: Queryable,
  accountId: number,
  campaignIds: readonly number[],
  now: Date,
  atMost: number,
): Promise<WaitingRow[]> {
  if (campaignIds.length === 0) return [];
  const list = sql`
    select c.id, c.account_id, null::text, null::text, f.is_follow_up
    from campaigns c cross join (values (true), (false)) f (is_follow_up) where c.id = any((select ${campaignIds}::int[])::int[])`;
  const has = sql`e.campaign_id = p.campaign_id and (e.last_sent_step > 0) = p.is_follow_up`;
  const parts = { of: sql`null::text, null::text`, list, has };
  return db.query<WaitingRow>(prepared('waiting-in-kinds', waitingIn(parts, accountId, campaignIds, now, atMost)));
}

/**
 * Counts the same for each time zone and variant of the campaigns' contacts. Time zones are free text but few, so a loose index scan finds
 * them. Indexes: enrolments_zone, enrolments_held.
 */
export async function waitingInZones(
  db: Queryable,
  accountId: number,
  campaignIds: readonly number[],
  now: Date,
  atMost: number,
): Promise<WaitingRow[]> {
  if (campaignIds.length === 0) return [];
  const nextZone = (campaign: Sql, after: Sql) => sql`(
    select coalesce(e.timezone, '') from enrolments e
    where e.campaign_id = ${campaign} and ${isWaiting('e')}${after} order by coalesce(e.timezone, '') limit 1)`;
  const list = sql`
    with recursive zone (campaign_id, account_id, name) as (
      select c.id, c.account_id, ${nextZone(sql`c.id`, empty)} from campaigns c where c.id = any((select ${campaignIds}::int[])::int[])
      union all
      select z.campaign_id, z.account_id, ${nextZone(sql`z.campaign_id`, sql` and coalesce(e.timezone, '') > z.name`)}
      from zone z where z.name is not null
    )
    select z.campaign_id, z.account_id, z.name, v.name, f.is_follow_up
    from zone z cross join (values ('A'), ('B')) v (name) cross join (values (true), (false)) f (is_follow_up) where z.name is not null`;
  const has = sql`e.campaign_id = p.campaign_id and coalesce(e.timezone, '') = p.timezone and coalesce(e.variant, 'A') = p.variant
    and (e.last_sent_step > 0) = p.is_follow_up`;
  const parts = { of: sql`coalesce(e.timezone, ''), coalesce(e.variant, 'A')`, list, has };
  return db.query<WaitingRow>(prepared('waiting-in-zones', waitingIn(parts, accountId, campaignIds, now, atMost)));
}

/**
 * The query's form prevents PostgreSQL from choosing, while the tables are empty, other indexes that begin with the campaign, because it
 * would keep that plan:
 * - Due rows are counted in index order, and `case` makes PostgreSQL expect that every other row belongs to this account. It estimates
 *   that a bare comparison matches few rows, and would read and sort everything due.
 * - Held rows are found first (`offset 0`) and filtered by `isWaiting` afterwards, because the other indexes include that condition.
 * - `(select ...)` hides times and limits; with their values, PostgreSQL would plan again each time.
 */
function waitingIn(parts: Parts, accountId: number, campaignIds: readonly number[], now: Date, atMost: number): Sql {
  const at = sql`(select ${now}::timestamptz)`;
  const isOfAccount = sql`case when ${sendsFrom('e', 'p')} = ${accountId} then true end`;
  return sql`
  with part (campaign_id, account_id, timezone, variant, is_follow_up) as (${parts.list}), held (campaign_id, timezone, variant, is_follow_up, until) as (
    select e.campaign_id, ${parts.of}, e.last_sent_step > 0, min(greatest(e.due_at, e.held_until))
    from (select * from enrolments h where h.campaign_id = any((select ${campaignIds}::int[])::int[]) and h.held_until > ${at} offset 0) e
    join campaigns c on c.id = e.campaign_id
    where ${isWaiting('e')} and ${sendsFrom('e', 'c')} = ${accountId}
    group by 1, 2, 3, 4)
  select p.campaign_id, p.timezone, p.variant = 'B' as is_b, p.is_follow_up, d.count as due, least(n.due_at, h.until) as next_due
  from part p
  cross join lateral (
    select count(*)::int as count from (
      select from enrolments e where ${parts.has} and ${isDue('e', at)} and ${isOfAccount}
      order by e.due_at limit (select ${atMost}::int)) first) d
  left join lateral (
    select e.due_at from enrolments e
    where ${parts.has} and ${enrolmentIs('e', 'active')} and e.due_at > ${at} and ${isNotHeld('e', at)} and ${isOfAccount}
    order by e.due_at limit 1) n on true
  left join held h on h.campaign_id = p.campaign_id and h.is_follow_up = p.is_follow_up
    and h.timezone is not distinct from p.timezone and h.variant is not distinct from p.variant
  where d.count > 0 or n.due_at is not null or h.until is not null
  order by 1, 2, 3, 4`;
}
