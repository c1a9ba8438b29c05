import type { Caller } from '../access/index.ts';
import { type Queryable, type Sql, sql } from '../db/statement.ts';
import {
  countedByDomain,
  hiddenDomains,
  isWhole,
  largestDomains,
  measureSums,
  type ReportDays,
  type SplitCampaigns,
  seenCells,
  sentByDomain,
  splitCampaigns,
  unsettledDomains,
} from '../events/index.ts';
import { type Counts, lessOf, sumOf } from './report-row.ts';

type DomainRow = { domain: string | null } & Counts;

/**
 * The domains with the most emails, and a row for all others: they are what is left of the total, since a campaign may have more domains
 * than can be added up in every report. They are found by their emails alone, and then counted.
 */
export async function rowsByDomain(db: Queryable, caller: Caller, campaigns: Sql, days: ReportDays, most: number): Promise<DomainRow[]> {
  const names = await candidates(db, caller, campaigns, days, most);
  const split = await splitCampaigns(db, campaigns, days);
  const chosen = names === null ? largestOf(split, days, most) : sql`select * from unnest(${names}::text[]) as c (domain)`;
  const rows = await db.query<DomainRow>(sql`
    with hidden as materialized (${hiddenDomains(caller, campaigns, days)}),
    chosen as materialized (${chosen}),
    largest as (
      select g.domain, ${measureSums('g')} from (
        ${countedByDomain(split, days, sql`select c.domain from chosen c`)}
        union all
        select h.* from hidden h where h.domain in (select c.domain from chosen c)
      ) g group by g.domain order by sum(g.sent) desc, g.domain collate "C" limit ${most}
    )
    select * from (
      select * from largest union all select null, ${measureSums('g')} from (${seenCells(caller, campaigns, days)}) g
    ) r order by domain is null, sent desc, domain collate "C"`);
  const [named, total] = [rows.slice(0, -1), rows.at(-1)];
  return total === undefined ? [] : [...named, { ...lessOf(total, sumOf(named)), domain: null }];
}

/**
 * Domains that the largest of one campaign are among: so many of the totals and those that the totals are yet to follow, and as many more
 * as these could push down. Null for some days and for several campaigns: the largest of each need not be those of the sum.
 */
async function candidates(db: Queryable, caller: Caller, campaigns: Sql, days: ReportDays, most: number): Promise<string[] | null> {
  const [first, second] = await db.query<{ id: number }>(sql`select c.id from (${campaigns}) c order by c.id limit 2`);
  if (first === undefined || second !== undefined || !isWhole(days)) return null;
  const unsettled = await db.query<{ domain: string }>(sql`select distinct u.domain from (${unsettledDomains(caller, campaigns, days)}) u`);
  const largest = await db.query<{ domain: string }>(largestDomains(first.id, most + unsettled.length));
  return [...new Set([...largest, ...unsettled].map(({ domain }) => domain))];
}

/** Selects the largest domains of the sum. Of the contacts in `hidden`, which the statement has, the emails are taken away. */
const largestOf = (split: SplitCampaigns, days: ReportDays, most: number): Sql => sql`
  select s.domain from (${sentByDomain(split, days)} union all select h.domain, h.sent from hidden h) s
  group by s.domain order by sum(s.sent) desc, s.domain collate "C" limit ${most}`;
