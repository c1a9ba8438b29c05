import { type Caller, isAdmin, visible } from '../access/index.ts';
import { empty, raw, type Sql, sql } from '../db/statement.ts';

/**
 * Selects `total`, the number of events or enrolments that the caller can see in one campaign or in all. It adds up
 * counters kept by campaign and audience, a few dozen rows whatever the size of the tables. Only the rows of private
 * contacts that another user shared with the caller are counted directly; there are few.
 * @param of condition on the counters (`n`), and the same condition on the rows (`r`)
 * @param counters event_day_counts for a condition on days
 */
export function countedRows(
  caller: Caller,
  table: 'events' | 'enrolments',
  of: { counters: Sql; rows: Sql },
  campaignId: number | undefined,
  counters: 'campaign_counts' | 'event_day_counts' = 'campaign_counts',
): Sql {
  const isIn = (alias: string) => (campaignId === undefined ? empty : sql`and ${raw(alias)}.campaign_id = ${campaignId}`);
  const counted = sql`select coalesce(sum(n.count), 0) from ${raw(counters)} n join campaigns c on c.id = n.campaign_id
    where ${of.counters} ${isIn('n')} and ${visible(caller, 'campaigns', 'c')}`;
  if (isAdmin(caller)) return sql`select (${counted})::bigint as total`;
  return sql`select (${counted} and n.audience in (0, ${caller.userId}))::bigint + (
      select count(*) from shares s
      join contacts k on k.id = s.resource_id and k.deleted_at is null and not k.is_shared_to_all and k.created_by is distinct from ${caller.userId}
      join ${raw(table)} r on r.contact_id = k.id and ${of.rows} ${isIn('r')}
      join campaigns c on c.id = r.campaign_id and ${visible(caller, 'campaigns', 'c')}
      where s.resource_type = 'contacts' and s.user_id = ${caller.userId}) as total`;
}

/**
 * Number of contacts of a campaign that the caller may see, as an SQL expression: the total of its enrolment records.
 * Indexes: campaign_counts_pkey, shares_user.
 * @param campaign the id, or a column that holds it
 */
export function seenContacts(caller: Caller, campaign: Sql): Sql {
  const counted = sql`select coalesce(sum(n.count), 0) from campaign_counts n where n.campaign_id = ${campaign} and n.what = 'enrolment'`;
  if (isAdmin(caller)) return sql`(${counted})::int`;
  return sql`((${counted} and n.audience in (0, ${caller.userId})) + (
    select count(*) from shares s
    join contacts k on k.id = s.resource_id and k.deleted_at is null and not k.is_shared_to_all and k.created_by is distinct from ${caller.userId}
    join enrolments r on r.contact_id = k.id and r.campaign_id = ${campaign}
    where s.resource_type = 'contacts' and s.user_id = ${caller.userId}))::int`;
}
