import type { Caller } from '../access/index.ts';
import { raw, type Sql, sql } from '../db/statement.ts';
import { providerOfDomain } from '../mail-domains/index.ts';
import { DOMAIN_CELL, measureNames, PROVIDER_CELL } from './measures.ts';
import { isWhole, lessHidden, ofDays, type ReportDays } from './seen-cells.ts';

/** Condition on counters `r` of the campaigns. A campaign may have very many domains, so all days are counted together too. */
const counted = (campaigns: Sql, days: ReportDays): Sql => sql`r.campaign_id in (${campaigns}) and ${ofDays(days)}`;

/**
 * Selects what campaigns count by `domain` and is not in the totals: what was counted lately, and, taken away, what contacts count who are
 * hidden from the caller. Indexes: domain_counts_pkey, contacts_hidden.
 */
export const unsettledDomains = (caller: Caller, campaigns: Sql, days: ReportDays): Sql => sql`
  select ${raw(DOMAIN_CELL)}, ${measureNames} from domain_counts r where ${counted(campaigns, days)}
  ${lessHidden(caller, raw(DOMAIN_CELL), campaigns, days)}`;

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
