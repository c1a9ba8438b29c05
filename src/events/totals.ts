import type { EventType } from '../core/event-types.ts';
import { join, raw, type Sql, sql } from '../db/statement.ts';
import { EMAIL_MARKS } from './event.ts';
import { kindsOf, measureSums } from './measures.ts';
import { rowSums, SUMS } from './sums.ts';

/*
 * Every number is the fold of the event log up to a mark (see fold.ts) plus the tail of the log after it. A campaign whose log was
 * corrected is read only from its log until it is folded again. All parts are read in one statement, hence in one snapshot, so the sum is
 * exact even while a fold runs.
 */

/** The first and the last day on which the emails of a report were sent, as `YYYY-MM-DD`; null for no limit. */
export interface ReportDays {
  since: string | null;
  until: string | null;
}

export const isWhole = ({ since, until }: ReportDays): boolean => since === null && until === null;

const within = (alias: string, { since, until }: ReportDays): Sql =>
  sql`${raw(alias)}.day between coalesce(${since}::date, '-infinity') and coalesce(${until}::date, 'infinity')`;

/** Columns by which `event_totals` adds up the log. */
export const EVENT_DIMENSIONS = 'campaign_id, counts_as, day, step_id, variant, account_id';
/** Columns by which `domain_totals` adds up the log. */
export const DOMAIN_DIMENSIONS = 'campaign_id, counts_as, domain';

/**
 * Selects the counts of campaigns, as rows to be summed: the columns of `EVENT_DIMENSIONS` and the sums `events`, `emails`, `contacts` and
 * `first_emails`. Indexes: event_totals_key, events_pkey for the tail, events_campaign for corrected campaigns.
 * @param campaigns a query for the ids of the campaigns
 */
export const countedEvents = (campaigns: Sql, days: ReportDays = ALL_DAYS): Sql =>
  folded('event_totals', EVENT_DIMENSIONS, campaigns, isWhole(days) ? sql`true` : within('t', days));

/**
 * Selects the same by the domain of the recipients, over all days: the columns of `DOMAIN_DIMENSIONS` and the sums. Indexes: like
 * `countedEvents`.
 */
export const countedDomains = (campaigns: Sql): Sql => folded('domain_totals', DOMAIN_DIMENSIONS, campaigns, sql`true`);

/**
 * Selects the same for emails of some days, from the log itself, with one row per event: the fold has no domains by day. Index:
 * events_campaign.
 */
export const loggedDomains = (campaigns: Sql, days: ReportDays): Sql => sql`
  select ${columnsOf('e', DOMAIN_DIMENSIONS)}, ${rowSums('e')} from events e where e.campaign_id in (${campaigns}) and ${within('e', days)}`;

/**
 * Three details keep the plan right whatever the statistics of the tables are. `fold_mark()` is a function, so that the planner knows its
 * value and with it how short the tail is. `refolds` is compared as an array: for an anti-join with a table that is nearly always empty,
 * and so never analyzed, the planner estimates one remaining row. With `offset 0` the log of a corrected campaign is read by its index.
 */
const folded = (table: string, dimensions: string, campaigns: Sql, which: Sql): Sql => sql`
  select ${columnsOf('t', `${dimensions}, ${SUMS.text}`)} from ${raw(table)} t where t.campaign_id in (${campaigns}) and ${IS_CURRENT} and ${which}
  union all
  select ${columnsOf('t', dimensions)}, ${rowSums('t')} from events t
  where t.id > fold_mark() and t.campaign_id in (${campaigns}) and ${IS_CURRENT} and ${which}
  union all
  select ${columnsOf('t', dimensions)}, ${rowSums('t')} from refolds r
  cross join lateral (select e.* from events e where e.campaign_id = r.campaign_id offset 0) t where r.campaign_id in (${campaigns}) and ${which}`;

/** Condition: the log of row `t`'s campaign was not corrected since it was folded. */
const IS_CURRENT: Sql = sql`t.campaign_id <> all(array(select r.campaign_id from refolds r))`;

const columnsOf = (alias: string, names: string): Sql =>
  raw(
    names
      .split(', ')
      .map((name) => `${alias}.${name}`)
      .join(', '),
  );

const ALL_DAYS: ReportDays = { since: null, until: null };

/** The counts of campaigns that their statistics show: `sent` counts emails, the others contacts. */
const STATS = ['sent', 'opened', 'clicked', 'replied', 'bounced', 'failed'] as const;

/**
 * Selects `campaign_id` and the counts of each campaign that has any: `contacts`, which is all that were enrolled, and those of `STATS`.
 * @param campaigns a query for the ids of the campaigns
 */
export const campaignCounts = (campaigns: Sql): Sql => sql`
  select n.campaign_id, n.enrolled as contacts, ${raw(STATS.map((name) => `n.${name}`).join(', '))} from (
    select g.campaign_id, ${measureSums('g', ['enrolled', ...STATS])} from (${countedEvents(campaigns)}) g group by g.campaign_id) n`;

/** The counts of row `n` of `campaignCounts`, which may be missing, as columns. */
export const statsColumns: Sql = join(['contacts', ...STATS].map((name) => raw(`coalesce(n.${name}, 0) as ${name}`)));

/**
 * Selects `variant` (`A`, `B`, or null for contacts outside of the test), `contacts` who were enrolled in it, and how many `opened`, `clicked`,
 * `replied` and `bounced`, in the campaigns together.
 */
export const variantCounts = (campaigns: Sql): Sql => sql`
  select n.variant, n.enrolled as contacts, n.opened, n.clicked, n.replied, n.bounced from (
    select g.variant, ${measureSums('g', ['enrolled', 'opened', 'clicked', 'replied', 'bounced'])}
    from (${countedEvents(campaigns)}) g group by g.variant) n order by n.variant`;

/** Selects `total`, the number of the campaigns' events that the API shows, including those of hidden contacts. */
export function eventTotal(campaigns: Sql, type: EventType | undefined): Sql {
  const isWanted = type === undefined ? sql`g.counts_as <> all(${EMAIL_MARKS}::text[])` : sql`g.counts_as = any(${kindsOf(type)}::text[])`;
  return sql`select coalesce(sum(g.events), 0)::int as total from (${countedEvents(campaigns)}) g where ${isWanted}`;
}
