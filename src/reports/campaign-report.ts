import { type Caller, visible } from '../access/index.ts';
import type { App } from '../app.ts';
import { notFound } from '../core/errors.ts';
import { type Sql, sql } from '../db/statement.ts';
import { countedEvents, isWhole, measureSums, type ReportDays } from '../events/index.ts';
import type { MailProvider } from '../mail-domains/index.ts';
import { type Answers, readAnswers } from './answers.ts';
import { type Comparison, compare } from './comparison.ts';
import { byDomain, rowsByDomain } from './domain-rows.ts';
import { type DaysGiven, daysIn } from './report-days.ts';
import { type Counts, hasCounted, type ReportCounts, reportRow, sumOf } from './report-row.ts';
import { rowsByAccountOrTime } from './rows-by.ts';
import { readTracked, trackedOf } from './tracked.ts';

export const CAMPAIGN_REPORTS = ['step', 'variant', 'day', 'week', 'account', 'provider', 'domain'] as const;
type CampaignReportBy = (typeof CAMPAIGN_REPORTS)[number];

/** The value that the emails of a row have in common. A row has the one by which the report is grouped. */
export interface RowKey {
  /** Its position, or the last position of a deleted step. */
  step_order?: number;
  /** The step was deleted. */
  is_deleted?: boolean;
  /** Null for contacts outside of the test. */
  variant?: 'A' | 'B' | null;
  /** The day on which they were sent, in the zone of their campaign: `YYYY-MM-DD`. */
  day?: string;
  /** The Monday of the week in which they were sent. */
  week?: string;
  account_id?: number;
  account_email?: string;
  /** The provider that receives the recipients' email; `unknown` until it has been looked up. */
  provider?: MailProvider | 'unknown';
  /** The domain of the recipients' addresses. Null for all that have no row of their own. */
  domain?: string | null;
}

/** A report on one campaign, or on all campaigns of a rotation group. Its total is the sum of its rows. */
export interface CampaignReport extends ReportDays {
  by: CampaignReportBy;
  rows: (RowKey & ReportCounts)[];
  total: ReportCounts;
  answers: Answers;
  /** By variant: group B compared with group A. */
  comparison?: Comparison[];
}

export interface ReportRequest extends DaysGiven {
  by: CampaignReportBy;
  /** Number of rows by domain, for those with the most emails. The others are added up. */
  domains: number;
}

/** Reports on a campaign. Throws `not_found`. */
export const campaignReport = (app: App, caller: Caller, campaignId: number, request: ReportRequest): Promise<CampaignReport> =>
  report(app, caller, sql`c.id = ${campaignId}`, request, 'campaign');

/** Reports on a rotation group, by the sums of its campaigns that the caller can see. Throws `not_found`. Index: campaigns_rotation. */
export const rotationReport = (app: App, caller: Caller, groupId: number, request: ReportRequest): Promise<CampaignReport> =>
  report(app, caller, sql`c.rotation_group_id = ${groupId}`, request, 'rotation group');

async function report(
  { db, config }: App,
  caller: Caller,
  of: Sql,
  { by, domains, ...given }: ReportRequest,
  noun: string,
): Promise<CampaignReport> {
  const found = await db.query<{ id: number; timezone: string }>(
    sql`select c.id, c.timezone from campaigns c where ${of} and ${visible(caller, 'campaigns', 'c')} order by c.id`,
  );
  const [first] = found;
  if (first === undefined) throw notFound(noun);
  // The ids themselves: joining campaigns for each event that is not folded yet takes a quarter of the processor time of a report by day.
  const campaigns = sql`select unnest(${found.map(({ id }) => id)}::int[])`;
  const days = daysIn(given, first.timezone);
  const rows =
    by === 'domain' ? await rowsByDomain(db, campaigns, days, domains) : await db.query<RowKey & Counts>(rowsBy(by, campaigns, days));
  const holds = by === 'step' ? 'step' : isWhole(days) && by !== 'day' && by !== 'week' ? 'contacts' : 'emails';
  const sum = sumOf(rows);
  const tracked = trackedOf(await readTracked(db, campaigns, config.publicUrl), sum);
  const named = rows.filter(hasCounted).map((row) => ({ ...keyOf(row), ...reportRow(row, holds, tracked) }));
  // All rates of a table have the same kind of base.
  const total = reportRow(sum, holds === 'emails' || !isWhole(days) ? 'emails' : 'contacts', tracked);
  const answers = await readAnswers(db, caller.workspaceId, campaigns, days, total.rates.replied?.of ?? 0);
  const arm = (variant: 'A' | 'B') => named.find((row) => row.variant === variant);
  return { by, ...days, rows: named, total, answers, ...(by === 'variant' && { comparison: compare(arm('A'), arm('B')) }) };
}

const KEYS = ['step_order', 'is_deleted', 'variant', 'day', 'week', 'account_id', 'account_email', 'provider', 'domain'] as const;

const keyOf = (row: RowKey): RowKey => Object.fromEntries(KEYS.filter((name) => name in row).map((name) => [name, row[name]]));

/** Selects the rows. Providers are in the order of their names, `other` and `unknown` last. */
function rowsBy(by: Exclude<CampaignReportBy, 'domain'>, campaigns: Sql, days: ReportDays): Sql {
  const counts = countedEvents(campaigns, days);
  switch (by) {
    case 'step':
      // The campaigns of a rotation group have copies of each step, which `deleteStep` deletes at the same instant.
      return sql`
        select coalesce(s.step_order, 1) as step_order, s.deleted_at is not null as is_deleted, ${measureSums('g')}
        from (${counts}) g left join steps s on s.id = g.step_id group by s.step_order, s.deleted_at order by s.deleted_at nulls first, 1`;
    case 'variant':
      return sql`select g.variant, ${measureSums('g')} from (${counts}) g group by 1 order by 1`;
    case 'provider':
      return sql`
        select coalesce(d.provider, 'unknown') as provider, ${measureSums('g')}
        from (${byDomain(campaigns, days)}) g left join mail_domains d on d.domain = g.domain group by 1 order by 1`;
    default:
      return rowsByAccountOrTime(by, counts);
  }
}
