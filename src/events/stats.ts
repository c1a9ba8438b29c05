import type { Caller } from '../access/index.ts';
import { join, raw, type Sql, sql } from '../db/statement.ts';

/** The counters of a campaign, and what each counts in `campaign_counts` or `event_blocks`. */
const COUNTED = {
  contacts: 'enrolment',
  sent: 'sent',
  opened: 'opened',
  clicked: 'clicked',
  replied: 'replied',
  bounced: 'bounced',
  failed: 'failed',
} as const;
const COUNTERS = Object.keys(COUNTED) as readonly (keyof typeof COUNTED)[];

/** Counters of a campaign as columns: those of campaign_stats `s` less the `hiddenCounts` `h`; either row may be missing. */
export const seenCounts: Sql = join(COUNTERS.map((name) => raw(`coalesce(s.${name}, 0) - coalesce(h.${name}, 0) as ${name}`)));

/**
 * Selects counts that are taken off those of a campaign: none, as a campaign's numbers are the same for everybody who may open it.
 * @param campaigns a query for the ids of campaigns
 */
export const hiddenCounts = (_caller: Caller, _campaigns: Sql): Sql =>
  sql`select ${join(['campaign_id', ...COUNTERS].map((name) => raw(`0 as ${name}`)))} where false`;
