import { type Caller, isAdmin } from '../access/index.ts';
import { empty, raw, type Sql, sql } from '../db/statement.ts';
import { providerOfDomain } from '../mail-domains/index.ts';
import { measureNames } from './measures.ts';
import { isWhole, ofDays, type ReportDays, sharedCells } from './seen-cells.ts';

/**
 * A condition on counters `r` by domain or provider: they are summed up for the caller. A member's hold, negated, what others' private
 * contacts count.
 */
export const isSummed = (caller: Caller): Sql =>
  isAdmin(caller) ? sql`not r.is_private` : sql`r.is_private = any('{false,true}') and r.audience <> ${caller.userId}`;

/** Condition on counters `r` of the campaigns. A campaign may have very many domains, so all days are counted together too. */
const counted = (caller: Caller, campaigns: Sql, days: ReportDays): Sql =>
  sql`r.campaign_id in (${campaigns}) and ${isSummed(caller)} and ${ofDays(days)}`;

const NAMES: Sql = raw('campaign_id, day, domain');

/** Selects what campaigns have counted by `domain` lately and is not in the totals. Index: domain_counts_pkey. */
const unsettled = (caller: Caller, campaigns: Sql, days: ReportDays): Sql =>
  sql`select ${NAMES}, ${measureNames} from domain_counts r where ${counted(caller, campaigns, days)}`;

/**
 * Selects what private contacts of others count by `domain` that were shared with the caller, and are taken away with the others: few.
 * Nothing is taken away from an admin's report.
 */
export const sharedDomains = (caller: Caller, campaigns: Sql, days: ReportDays): Sql =>
  isAdmin(caller) ? sql`select ${NAMES}, ${measureNames} from domain_counts where false` : sharedCells(caller, NAMES, campaigns, days);

/**
 * Selects the names of at most so many domains by which a campaign counts over all days what moves them from their place in
 * `largestDomains`: what is not in the totals, and what private contacts count. Indexes: domain_counts_pkey, domain_totals_pkey.
 */
export const movedDomains = (caller: Caller, campaigns: Sql, most: number): Sql => sql`
  select u.domain from (
    select r.domain from domain_counts r where ${counted(caller, campaigns, ALL_DAYS)}
    ${isAdmin(caller) ? empty : sql`union all select r.domain from domain_totals r where ${counted(caller, campaigns, ALL_DAYS)} and r.is_private`}
    union all select s.domain from (${sharedDomains(caller, campaigns, ALL_DAYS)}) s
  ) u group by u.domain limit ${most}`;

const ALL_DAYS: ReportDays = { since: null, until: null };

/** Selects the names of the largest domains in the totals of a campaign over all days, hidden contacts included. Index: domain_totals_largest. */
export const largestDomains = (campaignId: number, most: number): Sql => sql`
  select r.domain from domain_totals r where r.campaign_id = ${campaignId} and r.day = '-infinity' and not r.is_private
  order by r.sent desc, r.domain collate "C" limit ${most}`;

/**
 * Selects what campaigns count by `provider`, as rows to be summed. What is not in the totals goes to the provider by which they count its
 * domain, or will. Indexes: provider_totals_pkey, domain_totals_pkey, mail_domains_pkey and those of `sharedCells`.
 */
export const seenProviders = (caller: Caller, campaigns: Sql, days: ReportDays): Sql => sql`
  select campaign_id, day, provider, ${measureNames} from provider_totals r where ${counted(caller, campaigns, days)}
  union all
  select u.campaign_id, u.day, coalesce(
    (select t.provider from domain_totals t where t.campaign_id = u.campaign_id and not t.is_private and t.domain = u.domain
      and t.day = ${isWhole(days) ? sql`'-infinity'` : sql`u.day`}),
    ${providerOfDomain(sql`u.domain`)}, 'unknown'), ${measureNames}
  from (${unsettled(caller, campaigns, days)} union all ${sharedDomains(caller, campaigns, days)}) u`;
