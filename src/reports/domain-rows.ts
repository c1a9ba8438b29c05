import type { Caller } from '../access/index.ts';
import { type Queryable, type Sql, sql } from '../db/statement.ts';
import {
  type CampaignGroup,
  countedByDomain,
  groupCampaigns,
  isWhole,
  largestDomains,
  measureNames,
  measureSums,
  movedDomains,
  type ReportDays,
  seenCells,
  sentByDomain,
  sharedDomains,
} from '../events/index.ts';
import { type Counts, lessOf, sumOf } from './report-row.ts';

type DomainRow = { domain: string | null } & Counts;

/**
 * The domains with the most emails, and a row for all others: they are what is left of the total, since a campaign may have more domains
 * than can be added up in every report. They are found by their emails alone, and then counted.
 */
export async function rowsByDomain(db: Queryable, caller: Caller, campaigns: Sql, days: ReportDays, most: number): Promise<DomainRow[]> {
  const names = await candidates(db, caller, campaigns, days, most);
  const groups = await groupCampaigns(db, campaigns, days);
  if (groups.length === 0) return [];
  const chosen = names === null ? largestOf(caller, groups, days, most) : sql`select * from unnest(${names}::text[]) as c (domain)`;
  const rows = await db.query<DomainRow>(sql`
    with shared as materialized (${sharedDomains(caller, campaigns, days)}),
    chosen as materialized (${chosen}),
    largest as (
      select g.domain, ${measureSums('g')} from (
        ${countedByDomain(caller, groups, days, sql`select c.domain from chosen c`)}
        union all
        select s.domain, ${measureNames} from shared s where s.domain in (select c.domain from chosen c)
      ) g group by g.domain order by sum(g.sent) desc, g.domain collate "C" limit ${most}
    )
    select * from (
      select * from largest union all select null, ${measureSums('g')} from (${seenCells(caller, campaigns, days)}) g
    ) r order by domain is null, sent desc, domain collate "C"`);
  const [named, total] = [rows.slice(0, -1), rows.at(-1)];
  return total === undefined ? [] : [...named, { ...lessOf(total, sumOf(named)), domain: null }];
}

/** Above it, adding up all domains is less than counting those that may be the largest. */
const MOST_MOVED = 2_000;

/**
 * Domains that the largest of one campaign are among: so many of the totals and those that are moved from their place there, and as many
 * more as these could push down. Null where many are moved, for some days and for several campaigns: the largest of each need not be those
 * of the sum.
 */
async function candidates(db: Queryable, caller: Caller, campaigns: Sql, days: ReportDays, most: number): Promise<string[] | null> {
  const [first, second] = await db.query<{ id: number }>(sql`select c.id from (${campaigns}) c order by c.id limit 2`);
  if (first === undefined || second !== undefined || !isWhole(days)) return null;
  const moved = await db.query<{ domain: string }>(movedDomains(caller, campaigns, MOST_MOVED + 1));
  if (moved.length > MOST_MOVED) return null;
  const largest = await db.query<{ domain: string }>(largestDomains(first.id, most + moved.length));
  return [...new Set([...largest, ...moved].map(({ domain }) => domain))];
}

/** Selects the largest domains of the sum, with the emails to the contacts in `shared`, which the statement has. */
const largestOf = (caller: Caller, groups: readonly CampaignGroup[], days: ReportDays, most: number): Sql => sql`
  select s.domain from (${sentByDomain(caller, groups, days)} union all select h.domain, h.sent from shared h) s
  group by s.domain order by sum(s.sent) desc, s.domain collate "C" limit ${most}`;
