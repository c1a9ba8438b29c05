import type { Caller } from '../access/index.ts';
import { type Queryable, raw, type Sql, sql } from '../db/statement.ts';
import { measureNames, negatedMeasures } from './measures.ts';
import { isWhole, ofDays, type ReportDays, within } from './seen-cells.ts';
import { isSummed } from './seen-domains.ts';

/**
 * Campaigns by how the counters by domain of some days are found: of those that sent `most` of their emails on these days, from all less
 * those of other days. Both are exact, and either reads half of the rows at most.
 */
export interface SplitCampaigns {
  few: number[];
  most: number[];
}

/**
 * Splits campaigns for `sentByDomain` and `countedByDomain`. Index: report_counts_pkey.
 * @param campaigns a query for their ids
 */
export async function splitCampaigns(db: Queryable, campaigns: Sql, days: ReportDays): Promise<SplitCampaigns> {
  const rows = await db.query<{ id: number; is_most: boolean }>(
    isWhole(days)
      ? sql`select c.id, false as is_most from (${campaigns}) c`
      : sql`
        select c.id, coalesce(sum(case when ${within(days)} then r.sent else -r.sent end) > 0, false) as is_most
        from (${campaigns}) c left join report_counts r on r.campaign_id = c.id group by c.id`,
  );
  const idsOf = (isMost: boolean) => rows.filter((row) => row.is_most === isMost).map(({ id }) => id);
  return { few: idsOf(false), most: idsOf(true) };
}

/**
 * Selects `domain` and `sent`, to be summed: emails of campaigns by the domain of the recipient, without `sharedDomains`. Whole months are
 * taken as such, and at their ends at most half a month of days. Indexes: domain_totals_pkey, domain_totals_largest, domain_months_pkey,
 * domain_counts_pkey.
 */
export function sentByDomain(caller: Caller, { few, most }: SplitCampaigns, days: ReportDays): Sql {
  const isOf = (campaigns: readonly number[]): Sql => isSummedOf(caller, campaigns);
  const unsettled = sql`select r.domain, r.sent from domain_counts r where ${isOf(few)} and ${ofDays(days)}`;
  if (isWhole(days)) return sql`${unsettled} union all select r.domain, r.sent from domain_totals r where ${isOf(few)} and ${ofDays(days)}`;
  const [from, to] = [sql`coalesce(${days.since}::date, '0001-01-01')`, sql`coalesce(${days.until}::date, '9999-12-30') + 1`];
  const [first, end] = [nearestMonth(from), nearestMonth(to)];
  /** The days from one on to before another; taken away if they come the other way round. */
  const between = (one: Sql, other: Sql) => sql`
    select r.domain, case when ${one} < ${other} then r.sent else -r.sent end from domain_totals r
    where ${isOf([...few, ...most])} and r.day >= least(${one}, ${other}) and r.day < greatest(${one}, ${other})`;
  return sql`
    ${unsettled}
    union all select r.domain, case r.day when '-infinity' then r.sent else -r.sent end from domain_counts r
    where ${isOf(most)} and not ${within(days)}
    union all select r.domain, r.sent from domain_months r where ${isOf(few)} and r.month >= ${first} and r.month < ${end}
    union all select r.domain, r.sent from domain_totals r where ${isOf(most)} and r.day = '-infinity'
    union all select r.domain, -r.sent from domain_months r where ${isOf(most)} and r.month < ${first}
    union all select r.domain, -r.sent from domain_months r where ${isOf(most)} and r.month >= ${end}
    union all ${between(from, first)}
    union all ${between(end, to)}`;
}

/**
 * Selects what campaigns count by some domains, without `sharedDomains`, as rows to be summed. Indexes: domain_totals_domain,
 * domain_counts_pkey.
 * @param domains a query for their names
 */
export function countedByDomain(caller: Caller, { few, most }: SplitCampaigns, days: ReportDays, domains: Sql): Sql {
  const rows = (table: 'domain_totals' | 'domain_counts', campaigns: readonly number[], ofTheDays: Sql, measures = measureNames) => sql`
    select r.domain, ${measures} from ${raw(table)} r
    where r.domain in (${domains}) and ${isSummedOf(caller, campaigns)} and ${ofTheDays}`;
  const counted = (table: 'domain_totals' | 'domain_counts') => {
    if (most.length === 0) return rows(table, few, ofDays(days));
    return sql`
      ${rows(table, few, ofDays(days))}
      union all ${rows(table, most, sql`r.day = '-infinity'`)}
      union all ${rows(table, most, sql`r.day > '-infinity' and r.day < ${days.since}::date`, negatedMeasures)}
      union all ${rows(table, most, sql`r.day > ${days.until}::date`, negatedMeasures)}`;
  };
  return sql`${counted('domain_counts')} union all ${counted('domain_totals')}`;
}

const isSummedOf = (caller: Caller, campaigns: readonly number[]): Sql =>
  sql`r.campaign_id = any(${campaigns}::int[]) and ${isSummed(caller)}`;

const nearestMonth = (day: Sql): Sql => sql`date_trunc('month', (${day} + 15)::timestamp)::date`;
