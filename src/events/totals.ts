import { type Caller, isAdmin, visible } from '../access/index.ts';
import { sharedContacts } from '../contacts/index.ts';
import { empty, raw, type Sql, sql } from '../db/statement.ts';

/**
 * Selects `total`, the number of events or enrolments that the caller can see in one campaign or in all. It adds up
 * counters kept by campaign and audience, a few dozen rows whatever the size of the tables. Only the rows of private
 * contacts that another user shared with the caller are counted directly; there are few.
 * @param counters event_day_counts for a condition on days
 */
export function countedRows(
  caller: Caller,
  table: 'events' | 'enrolments',
  of: Counted,
  campaignId: number | undefined,
  counters: 'campaign_counts' | 'event_day_counts' = 'campaign_counts',
): Sql {
  const { kept, shared } = countedFrom(caller, table, of, campaignId, counters);
  const sum = sql`select coalesce(sum(n.count), 0) ${kept}`;
  if (shared === undefined) return sql`select (${sum})::bigint as total`;
  return sql`select (${sum})::bigint + (select count(*) ${shared}) as total`;
}

/** A condition on the counters (`n`), and the same condition on the rows (`r`). */
interface Counted {
  counters: Sql;
  rows: Sql;
}

/**
 * Selects `day` (UTC) and `count`, the number of events on it that the caller can see, the newest day first. Counted like
 * `countedRows`. Index: event_day_counts_pkey.
 */
export function countedByDay(caller: Caller, of: Counted, campaignId: number | undefined): Sql {
  const { kept, shared } = countedFrom(caller, 'events', of, campaignId, 'event_day_counts');
  const days = sql`select n.day, sum(n.count) as count ${kept} group by 1`;
  const all = shared === undefined ? days : sql`${days} union all select (r.at at time zone 'UTC')::date, count(*) ${shared} group by 1`;
  return sql`select day, sum(count) as count from (${all}) counted group by day order by day desc`;
}

/** The `from` and `where` of the counters, and of the rows that are counted directly, if the caller can have any. */
function countedFrom(
  caller: Caller,
  table: 'events' | 'enrolments',
  of: Counted,
  campaignId: number | undefined,
  counters: 'campaign_counts' | 'event_day_counts',
): { kept: Sql; shared?: Sql } {
  const isIn = (alias: string) => (campaignId === undefined ? empty : sql`and ${raw(alias)}.campaign_id = ${campaignId}`);
  const kept = sql`from ${raw(counters)} n join campaigns c on c.id = n.campaign_id
    where ${of.counters} ${isIn('n')} and ${visible(caller, 'campaigns', 'c')}`;
  if (isAdmin(caller)) return { kept };
  return {
    kept: sql`${kept} and n.audience in (0, ${caller.userId})`,
    shared: sql`from (${sharedContacts(caller)}) k
      join ${raw(table)} r on r.contact_id = k.id and ${of.rows} ${isIn('r')}
      join campaigns c on c.id = r.campaign_id and ${visible(caller, 'campaigns', 'c')}
      where k.deleted_at is null`,
  };
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
    select count(*) from (${sharedContacts(caller)}) k
    join enrolments r on r.contact_id = k.id and r.campaign_id = ${campaign}
    where k.deleted_at is null))::int`;
}
