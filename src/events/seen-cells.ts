import { type Caller, isAdmin } from '../access/index.ts';
import { sharedContacts } from '../contacts/index.ts';
import { empty, raw, type Sql, sql } from '../db/statement.ts';
import { happenings } from './happenings.ts';
import { CELL, measureNames, negatedMeasures } from './measures.ts';

/** Days on which the emails of a report were sent, both included, as `YYYY-MM-DD`; null for no limit. */
export interface ReportDays {
  since: string | null;
  until: string | null;
}

/**
 * Selects what campaigns have counted for their reports: rows to be summed, with a column for each measure, `campaign_id`, `day`,
 * `step_order`, `variant` and `account_id`. Indexes: report_counts_pkey, private_counts_pkey, shares_user.
 * @param campaigns a query for the ids of campaigns that the caller can see
 */
export const seenCells = (caller: Caller, campaigns: Sql, days: ReportDays): Sql => sql`
  select ${raw(CELL)}, ${measureNames} from report_counts r where r.campaign_id in (${campaigns}) and ${within(days)}
  ${lessPrivate(caller, campaigns, days)}`;

/** Takes away what private contacts of others count, apart from those that were shared with the caller, which are few. */
function lessPrivate(caller: Caller, campaigns: Sql, days: ReportDays): Sql {
  if (isAdmin(caller)) return empty;
  return sql`
    union all
    select ${raw(CELL)}, ${negatedMeasures} from private_counts r
    where r.campaign_id in (${campaigns}) and ${within(days)} and r.audience is distinct from ${caller.userId}
    union all ${sharedCells(caller, raw(CELL), campaigns, days)}`;
}

/**
 * Selects what private contacts of others count that were shared with a member: they are not hidden, but counted with those that are.
 * Indexes: shares_user, enrolments_contact, events_enrolment.
 */
export function sharedCells(caller: Caller, names: Sql, campaigns: Sql, days: ReportDays): Sql {
  const shared = sql`e.campaign_id in (${campaigns}) and e.contact_id in (select k.id from (${sharedContacts(caller)}) k)`;
  return sql`select ${names}, ${measureNames} from (${happenings(shared)}) r where ${within(days)}`;
}

export const isWhole = ({ since, until }: ReportDays): boolean => since === null && until === null;

/** A condition on the day of counters `r`. */
export const within = ({ since, until }: ReportDays): Sql =>
  sql`r.day between coalesce(${since}::date, '0001-01-01') and coalesce(${until}::date, '9999-12-31')`;

/** The same where the sum of all days has a row of its own. */
export const ofDays = (days: ReportDays): Sql => (isWhole(days) ? sql`r.day = '-infinity'` : within(days));
