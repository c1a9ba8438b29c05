import { type Queryable, raw, type Sql, sql } from '../db/statement.ts';
import { countedDomains, countedEvents, isWhole, loggedDomains, measureSums, type ReportDays } from '../events/index.ts';
import { type Counts, subtract, sumOf } from './report-row.ts';

type DomainRow = { domain: string | null } & Counts;

/**
 * Selects the counts of campaigns, as rows of `domain`, `counts_as` and the sums, to be summed. Limited days are read from the log, because
 * the totals by domain cover all days.
 */
export const byDomain = (campaigns: Sql, days: ReportDays): Sql => sql`
  select * from (${isWhole(days) ? countedDomains(campaigns) : loggedDomains(campaigns, days)}) g where g.counts_as <> 'enrolled'`;

/**
 * Reads a row for each of the domains with the most emails, and one row for all others: the rest of the total.
 * @param most number of domains with a row of their own
 */
export async function rowsByDomain(db: Queryable, campaigns: Sql, days: ReportDays, most: number): Promise<DomainRow[]> {
  const byName = raw('domain collate "C"');
  const rows = await db.query<DomainRow>(sql`
    with counts as materialized (
      select g.domain, g.counts_as, sum(g.events) as events, sum(g.emails) as emails, sum(g.contacts) as contacts,
        sum(g.first_emails) as first_emails
      from (${byDomain(campaigns, days)}) g group by 1, 2
    ),
    largest as materialized (
      select domain from counts group by 1 order by coalesce(sum(events) filter (where counts_as = 'sent'), 0) desc, ${byName} limit ${most}
    )
    select * from (
      select g.domain, ${measureSums('g')} from counts g where g.domain in (select l.domain from largest l) group by 1
      union all
      select null, ${measureSums('g')} from (${countedEvents(campaigns, days)}) g
    ) r order by domain is null, sent desc, ${byName}`);
  const [named, total] = [rows.slice(0, -1), rows.at(-1)];
  return total === undefined ? [] : [...named, { ...subtract(total, sumOf(named)), domain: null }];
}
