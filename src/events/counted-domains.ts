import type { Caller } from '../access/index.ts';
import { DAY } from '../core/clock.ts';
import { empty, join, type Queryable, raw, type Sql, sql } from '../db/statement.ts';
import { nearestPlace, type QuarterPlace, quarterOf } from './domain-quarters.ts';
import { measureNames, negatedMeasures } from './measures.ts';
import { isWhole, ofDays, type ReportDays, within } from './seen-cells.ts';
import { isSummed } from './seen-domains.ts';

/** Campaigns whose counters by domain of some days are found in the same way, which is exact and reads the fewest rows. */
export interface CampaignGroup {
  campaigns: number[];
  /** They are taken from all days less the others, not from these days. */
  isMost: boolean;
  /** Single days are taken, of which there are none, and not quarters. */
  isByDay: boolean;
  /** Quarters, by their first days, from which on and before which they are taken as such to count; days are between these and the ends. */
  first: string;
  end: string;
}

/**
 * Groups campaigns for `sentByDomain` and `countedByDomain`. Index: report_counts_pkey.
 * @param campaigns a query for their ids
 */
export async function groupCampaigns(db: Queryable, campaigns: Sql, days: ReportDays): Promise<CampaignGroup[]> {
  const [from, to] = endsOf(days);
  const [ofFrom, ofTo] = [quarterOf(from), quarterOf(to)];
  /** The emails of the quarter before a day less those from it on. */
  const balance = (day: string, [start, next]: readonly [string, string]) => sql`sum(case
    when r.day >= ${start} and r.day < ${day} then r.sent when r.day >= ${day} and r.day < ${next} then -r.sent else 0 end)`;
  const rows = await db.query<{ id: number; within: number; beyond: number; from_start: boolean; to_start: boolean }>(
    isWhole(days)
      ? sql`select c.id, 1 as within, 0 as beyond, true as from_start, true as to_start from (${campaigns}) c`
      : sql`
        select c.id, count(*) filter (where q.within)::int as within, count(*) filter (where q.beyond)::int as beyond,
          coalesce(sum(q.from_balance), 0) <= 0 as from_start, coalesce(sum(q.to_balance), 0) <= 0 as to_start
        from (${campaigns}) c left join (
          select r.campaign_id, bool_or(${within(days)}) as within, bool_or(not ${within(days)}) as beyond,
            ${balance(from, ofFrom)} as from_balance, ${balance(to, ofTo)} as to_balance
          from report_counts r where r.campaign_id in (${campaigns}) group by r.campaign_id, date_trunc('quarter', r.day::timestamp)
        ) q on q.campaign_id = c.id group by c.id`,
  );
  const wayOf = ({ within, beyond, from_start, to_start }: (typeof rows)[number]) => {
    const isByDay = within === 0 || beyond === 0;
    const isMost = isByDay ? within > 0 : within > 1 + beyond;
    return isByDay
      ? { isByDay, isMost, first: from, end: to }
      : { isByDay, isMost, first: ofFrom[from_start ? 0 : 1], end: ofTo[to_start ? 0 : 1] };
  };
  const groups = Map.groupBy(
    rows.map((row) => ({ id: row.id, ...wayOf(row) })),
    ({ id: _, ...way }) => Object.values(way).join(),
  );
  return [...groups.values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : { ...first, campaigns: [first, ...others].map(({ id }) => id) },
  );
}

/** Rows of counters `r` to be read: conditions on them, and their columns as they are or with their sign changed. */
interface Reading {
  which: Sql;
  columns: Sql;
  negated: Sql;
}

const rowsOf = (table: string, { which, columns, negated }: Reading, ofDays: Sql, isAway = false): Sql =>
  sql`select r.domain, ${isAway ? negated : columns} from ${raw(table)} r where ${which} and ${ofDays}`;

/**
 * Selects `domain` and `sent`, to be summed: emails of campaigns by the domain of the recipient, without `sharedDomains`. They are taken from
 * the quarters, and at either end from four days at most. Indexes: domain_totals_pkey, domain_quarters_pkey, domain_counts_pkey.
 */
export const sentByDomain = (caller: Caller, groups: readonly CampaignGroup[], days: ReportDays): Sql =>
  join(
    groups.map((group) => sentOf(caller, group, days)),
    ' union all ',
  );

function sentOf(caller: Caller, { campaigns, isMost, isByDay }: CampaignGroup, days: ReportDays): Sql {
  const which = isSummedOf(caller, campaigns);
  const reading: Reading = { which, columns: sql`r.sent`, negated: sql`-r.sent` };
  if (isByDay) return byDay(reading, isMost, days);
  const [from, to] = endsOf(days);
  const [first, end] = [nearestPlace(from), nearestPlace(to)];
  const quarters = isMost
    ? sql`
      select r.domain, ${fromPlace(first, sql`0`)} - r.sent as sent from domain_quarters r where ${which} and r.quarter <= ${first.quarter}
      union all select r.domain, -${fromPlace(end, sql`r.sent`)} from domain_quarters r where ${which} and r.quarter >= ${end.quarter}`
    : sql`
      select r.domain, ${fromPlace(first, sql`r.sent`)} - ${fromPlace(end, sql`0`)} as sent from domain_quarters r
      where ${which} and r.quarter between ${first.quarter} and ${end.quarter}`;
  return sql`${quarters} union all ${lately(reading, isMost, days)} ${between(reading, from, first.day)} ${between(reading, end.day, to)}`;
}

/** The emails of the quarter of a place from there on; of other quarters `others`. */
const fromPlace = (place: QuarterPlace, others: Sql): Sql =>
  sql`case r.quarter when ${place.quarter}::date then ${place.column} else ${others} end`;

/**
 * Selects what campaigns count by some domains, without `sharedDomains`, as rows to be summed: of whole quarters, and of the days at either
 * end. Indexes: domain_quarters_pkey, domain_totals_domain, domain_counts_pkey.
 * @param domains a query for their names
 */
export const countedByDomain = (caller: Caller, groups: readonly CampaignGroup[], days: ReportDays, domains: Sql): Sql =>
  join(
    groups.map((group) => countedOf(caller, group, days, domains)),
    ' union all ',
  );

function countedOf(caller: Caller, { campaigns, isMost, isByDay, first, end }: CampaignGroup, days: ReportDays, domains: Sql): Sql {
  const which = sql`r.domain in (${domains}) and ${isSummedOf(caller, campaigns)}`;
  const reading: Reading = { which, columns: measureNames, negated: negatedMeasures };
  if (isByDay) return byDay(reading, isMost, days);
  const [from, to] = endsOf(days);
  const quarters = sql`
    select r.domain, ${isMost ? negatedMeasures : measureNames}
    from (${domains}) c cross join (${quartersOf(campaigns)}) q
    cross join lateral (
      select * from domain_quarters r
      where r.campaign_id = q.campaign_id and ${isSummed(caller)} and r.quarter = q.quarter and r.domain = c.domain offset 0
    ) r
    where ${isMost ? sql`(q.quarter < ${first} or q.quarter >= ${end})` : sql`q.quarter >= ${first} and q.quarter < ${end}`}`;
  return sql`${quarters} union all ${lately(reading, isMost, days)} ${between(reading, from, first)} ${between(reading, end, to)}`;
}

/** Selects the quarters in which campaigns have sent, so that the index finds each row by all of its columns. Index: report_counts_pkey. */
const quartersOf = (campaigns: readonly number[]): Sql => sql`
  select s.campaign_id, q::date as quarter from unnest(${campaigns}::int[]) s (campaign_id)
  cross join lateral (select min(n.day) as first, max(n.day) as last from report_counts n where n.campaign_id = s.campaign_id) d
  cross join generate_series(date_trunc('quarter', d.first::timestamp), d.last::timestamp, '3 months') q`;

/** Counts that are not in the totals; and the total of all days, if the others are taken away. */
const lately = (reading: Reading, isMost: boolean, days: ReportDays): Sql =>
  isMost
    ? sql`
      ${rowsOf('domain_counts', reading, sql`r.day = '-infinity'`)}
      union all ${rowsOf('domain_counts', reading, sql`r.day > '-infinity' and not ${within(days)}`, true)}
      union all ${rowsOf('domain_totals', reading, sql`r.day = '-infinity'`)}`
    : rowsOf('domain_counts', reading, within(days));

function byDay(reading: Reading, isMost: boolean, days: ReportDays): Sql {
  if (isWhole(days))
    return sql`${rowsOf('domain_counts', reading, ofDays(days))} union all ${rowsOf('domain_totals', reading, ofDays(days))}`;
  if (!isMost) return sql`${lately(reading, isMost, days)} union all ${rowsOf('domain_totals', reading, within(days))}`;
  const [from, to] = endsOf(days);
  return sql`
    ${lately(reading, isMost, days)}
    union all ${rowsOf('domain_totals', reading, sql`r.day > '-infinity' and r.day < ${from}::date`, true)}
    union all ${rowsOf('domain_totals', reading, sql`r.day >= ${to}::date`, true)}`;
}

/** The days from one on to before the other, after what else is united; taken away, if they come the other way round. */
function between(reading: Reading, one: string, other: string): Sql {
  if (one === other) return empty;
  const [from, to] = one < other ? [one, other] : [other, one];
  return sql`union all ${rowsOf('domain_totals', reading, sql`r.day >= ${from}::date and r.day < ${to}::date`, one > other)}`;
}

const isSummedOf = (caller: Caller, campaigns: readonly number[]): Sql =>
  sql`r.campaign_id = any(${campaigns}::int[]) and ${isSummed(caller)}`;

/** The first of the days, and the day after the last; the same twice if there are none. */
function endsOf({ since, until }: ReportDays): [string, string] {
  const from = earlier(since ?? '0001-01-01', NEVER);
  const to = until === null || until >= NEVER ? NEVER : dayAfter(until);
  return [from, to < from ? from : to];
}

/** The first day of a quarter in which no email was sent, nor after it. */
const NEVER = '9999-07-01';

const earlier = (one: string, other: string): string => (one < other ? one : other);

const dayAfter = (day: string): string => new Date(new Date(day).getTime() + DAY).toISOString().slice(0, 10);
