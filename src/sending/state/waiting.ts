import { enrolmentIs, isDue, isNotHeld, isWaiting, sendsFrom } from '../../campaigns/index.ts';
import { empty, prepared, type Queryable, type Sql, sql } from '../../db/statement.ts';
import { inVariant } from '../email/claim.ts';

/** Number of due emails in one group of a campaign, and the time of the next. */
export interface WaitingRow {
  campaign_id: number;
  is_b: boolean;
  /** Null for first emails and follow-ups alike. */
  is_follow_up: boolean | null;
  /** Time zone of its contacts, empty for contacts without one; meaningless unless the campaign uses contacts' time zones. */
  timezone: string;
  /** Number of due emails, up to `atMost`. */
  due: number;
  /** Time at which the next email becomes due; null if none will. */
  next_due: Date | null;
}

/**
 * Counts what is due for this account in groups A and B of these campaigns, by the first entries of an index, and by the
 * held enrolments, which are few. Indexes: enrolments_next, enrolments_next_b, enrolments_held.
 */
export async function waitingInGroups(
  db: Queryable,
  accountId: number,
  campaignIds: readonly number[],
  now: Date,
  atMost: number,
): Promise<WaitingRow[]> {
  if (campaignIds.length === 0) return [];
  const inGroup = (isB: boolean) => {
    const waits = sql`e.campaign_id = c.id and ${enrolmentIs('e', 'active')} and ${sendsFrom('e', 'c')} = ${accountId}${inVariant('e', isB)}`;
    return sql`
      select c.id as campaign_id, ${isB ? sql`true` : sql`false`} as is_b, '' as timezone, null::boolean as is_follow_up, (
          select count(*)::int from (select from enrolments e where ${waits} and ${isDue('e', now)} limit ${atMost}) due) as due,
        least((
            select e.due_at from enrolments e
            where ${waits} and e.due_at > ${now} and ${isNotHeld('e', now)} order by e.due_at limit 1),
          (select min(greatest(e.due_at, e.held_until)) from enrolments e
            where ${waits} and e.due_at is not null and e.held_until > ${now})) as next_due
      from campaigns c where c.id = any(${campaignIds}::int[])`;
  };
  return db.query<WaitingRow>(prepared('waiting-in-groups', sql`${inGroup(false)} union all ${inGroup(true)} order by 1, 2`));
}

/**
 * Counts the same in each time zone of the campaigns' contacts, first emails and follow-ups apart. Time zones are few, though their names are free text: a
 * loose index scan finds them, and each is searched for its first emails. Indexes: enrolments_zone, enrolments_held.
 */
export async function waitingInZones(
  db: Queryable,
  accountId: number,
  campaignIds: readonly number[],
  now: Date,
  atMost: number,
): Promise<WaitingRow[]> {
  if (campaignIds.length === 0) return [];
  const waits = isWaiting('e');
  const nextZone = (campaign: Sql, after: Sql) => sql`(
    select coalesce(e.timezone, '') from enrolments e
    where e.campaign_id = ${campaign} and ${waits}${after} order by coalesce(e.timezone, '') limit 1)`;
  const inLane = sql`e.campaign_id = z.campaign_id and coalesce(e.timezone, '') = z.name and coalesce(e.variant, 'A') = v.name
    and (e.last_sent_step > 0) = f.is_follow_up and ${sendsFrom('e', 'z')} = ${accountId}`;
  return db.query<WaitingRow>(
    prepared(
      'waiting-in-zones',
      sql`
    with recursive zone (campaign_id, account_id, name) as (
      select c.id, c.account_id, ${nextZone(sql`c.id`, empty)} from campaigns c where c.id = any(${campaignIds}::int[])
      union all
      select z.campaign_id, z.account_id, ${nextZone(sql`z.campaign_id`, sql` and coalesce(e.timezone, '') > z.name`)}
      from zone z where z.name is not null
    ), held (campaign_id, zone, variant, is_follow_up, until) as (
      select e.campaign_id, coalesce(e.timezone, ''), coalesce(e.variant, 'A'), e.last_sent_step > 0, min(greatest(e.due_at, e.held_until))
      from enrolments e join campaigns c on c.id = e.campaign_id
      where e.campaign_id = any(${campaignIds}::int[]) and ${waits} and e.held_until > ${now} and ${sendsFrom('e', 'c')} = ${accountId}
      group by 1, 2, 3, 4)
    select z.campaign_id, z.name as timezone, v.name = 'B' as is_b, f.is_follow_up, sum(d.count)::int as due,
      least(min(n.due_at), min(h.until)) as next_due
    from zone z
    cross join (values ('A'), ('B')) v (name)
    cross join (values (true), (false)) f (is_follow_up)
    cross join lateral (
      select count(*) from (select from enrolments e where ${inLane} and ${isDue('e', now)} limit ${atMost}) first) d
    left join lateral (
      select e.due_at from enrolments e
      where ${inLane} and ${enrolmentIs('e', 'active')} and e.due_at > ${now} and ${isNotHeld('e', now)}
      order by e.due_at limit 1) n on true
    left join held h on h.campaign_id = z.campaign_id and h.zone = z.name and h.variant = v.name and h.is_follow_up = f.is_follow_up
    where z.name is not null
    group by 1, 2, 3, 4 having sum(d.count) > 0 or min(n.due_at) is not null or min(h.until) is not null
    order by 1, 2, 3, 4`,
    ),
  );
}
