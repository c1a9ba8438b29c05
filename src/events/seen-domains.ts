import type { Caller } from '../access/index.ts';
import { join, raw, type Sql, sql } from '../db/statement.ts';
import { providerOfDomain } from '../mail-domains/index.ts';
import { DOMAIN_CELL, measureNames, PROVIDER_CELL } from './measures.ts';
import { isWhole, lessHidden, type ReportDays, within } from './seen-cells.ts';

/** Condition on counters `r` of the campaigns. A campaign may have very many domains, so all days are counted together too. */
const counted = (campaigns: Sql, days: ReportDays): Sql => sql`r.campaign_id in (${campaigns}) and ${ofDays(days)}`;

const ofDays = (days: ReportDays): Sql => (isWhole(days) ? sql`r.day = '-infinity'` : within(days));

/**
 * Selects what campaigns count by `domain` and is not in the totals: what was counted lately, and, taken away, what contacts count who are
 * hidden from the caller. Indexes: domain_counts_pkey, contacts_hidden.
 */
export const unsettledDomains = (caller: Caller, campaigns: Sql, days: ReportDays): Sql => sql`
  select ${raw(DOMAIN_CELL)}, ${measureNames} from domain_counts r where ${counted(campaigns, days)}
  ${lessHidden(caller, raw(DOMAIN_CELL), campaigns, days)}`;

/**
 * Selects `domain` and `sent`, to be summed: emails of campaigns by the domain of the recipient, hidden contacts included. Where most
 * emails were sent on other days, these are added up, and otherwise all emails less those of other days: both are exact, and one of them
 * reads half of the rows at most. Indexes: domain_totals_pkey, domain_counts_pkey.
 */
export const sentByDomain = (campaigns: Sql, days: ReportDays, areMostOnOtherDays: boolean): Sql =>
  join(
    ['domain_totals', 'domain_counts'].map((table) => {
      const rows = sql`from ${raw(table)} r where r.campaign_id in (${campaigns})`;
      if (isWhole(days) || areMostOnOtherDays) return sql`select r.domain, r.sent ${rows} and ${ofDays(days)}`;
      return sql`
        select r.domain, r.sent ${rows} and r.day = '-infinity'
        union all select r.domain, -r.sent ${rows} and r.day > '-infinity' and r.day < ${days.since}::date
        union all select r.domain, -r.sent ${rows} and r.day > ${days.until}::date`;
    }),
    ' union all ',
  );

/** Selects `is_most`: whether campaigns sent most of their emails on other days. Index: report_counts_pkey. */
export const mostOnOtherDays = (campaigns: Sql, days: ReportDays): Sql => sql`
  select coalesce(sum(case when ${within(days)} then -r.sent else r.sent end) > 0, true) as is_most
  from report_counts r where r.campaign_id in (${campaigns})`;

/**
 * Selects what campaigns count by some domains, hidden contacts included, as rows to be summed. Indexes: domain_totals_domain,
 * domain_counts_pkey.
 * @param domains a query for their names
 */
export const countedByDomain = (campaigns: Sql, days: ReportDays, domains: Sql): Sql =>
  join(
    ['domain_totals', 'domain_counts'].map(
      (table) => sql`
        select ${raw(DOMAIN_CELL)}, ${measureNames} from ${raw(table)} r where r.domain in (${domains}) and ${counted(campaigns, days)}`,
    ),
    ' union all ',
  );

/** Selects, taken away, what contacts count by `domain` who are hidden from the caller. Index: contacts_hidden. */
export const hiddenDomains = (caller: Caller, campaigns: Sql, days: ReportDays): Sql => sql`
  select ${raw(DOMAIN_CELL)}, ${measureNames} from domain_counts where false ${lessHidden(caller, raw(DOMAIN_CELL), campaigns, days)}`;

/** Selects the names of the largest domains in the totals of a campaign over all days. Index: domain_totals_largest. */
export const largestDomains = (campaignId: number, most: number): Sql => sql`
  select r.domain from domain_totals r where r.campaign_id = ${campaignId} and r.day = '-infinity'
  order by r.sent desc, r.domain collate "C" limit ${most}`;

/**
 * Selects what campaigns count by `provider`, as rows to be summed. What is not in the totals goes to the provider by which they count its
 * domain, or will. Indexes: provider_totals_pkey, domain_totals_pkey, mail_domains_pkey and those of `unsettledDomains`.
 */
export const seenProviders = (caller: Caller, campaigns: Sql, days: ReportDays): Sql => sql`
  select ${raw(PROVIDER_CELL)}, ${measureNames} from provider_totals r where ${counted(campaigns, days)}
  union all
  select u.campaign_id, u.day, coalesce(
    (select t.provider from domain_totals t where t.campaign_id = u.campaign_id and t.domain = u.domain
      and t.day = ${isWhole(days) ? sql`'-infinity'` : sql`u.day`}),
    ${providerOfDomain(sql`u.domain`)}, 'unknown'), ${measureNames}
  from (${unsettledDomains(caller, campaigns, days)}) u`;
