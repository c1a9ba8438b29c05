import { type Caller, visible } from '../access/index.ts';
import type { App } from '../app.ts';
import { type Sql, sql } from '../db/statement.ts';
import { countedEvents, isWhole, measureSums, type ReportDays } from '../events/index.ts';
import { type Answers, readAnswers } from './answers.ts';
import type { RowKey } from './campaign-report.ts';
import { type DaysGiven, daysIn } from './report-days.ts';
import { type Counts, hasCounted, type ReportCounts, reportRow, sumOf } from './report-row.ts';
import { rowsByAccountOrTime } from './rows-by.ts';
import { readTracked, trackedOf } from './tracked.ts';

export const WORKSPACE_REPORTS = ['campaign', 'account', 'day', 'week'] as const;
export type WorkspaceReportBy = (typeof WORKSPACE_REPORTS)[number];

/** A report on all campaigns that the caller can see. Contacts count once in each campaign. Its total is the sum of its rows. */
export interface WorkspaceReport extends ReportDays {
  by: WorkspaceReportBy;
  rows: (WorkspaceKey & ReportCounts)[];
  total: ReportCounts;
  answers: Answers;
}

/**
 * The value that a row's emails have in common. By campaign, it is the id and name. A rotation group counts as one campaign: it has those
 * of its first campaign, and the id of the group.
 */
interface WorkspaceKey extends Pick<RowKey, 'day' | 'week' | 'account_id' | 'account_email'> {
  campaign_id?: number;
  campaign_name?: string;
  rotation_id?: number | null;
}

/** Reports on the workspace. An instant means its day in the workspace's zone, or in UTC. Index: workspaces_pkey. */
export async function workspaceReport(
  { db, config }: App,
  caller: Caller,
  { by, ...given }: DaysGiven & { by: WorkspaceReportBy },
): Promise<WorkspaceReport> {
  const [workspace] = await db.query<{ timezone: string | null }>(sql`select timezone from workspaces where id = ${caller.workspaceId}`);
  const days = daysIn(given, workspace?.timezone ?? 'UTC');
  const campaigns = sql`select c.id from campaigns c where ${visible(caller, 'campaigns', 'c')}`;
  const counts = countedEvents(campaigns, days);
  const rows = await db.query<WorkspaceKey & Counts>(by === 'campaign' ? byCampaign(counts) : rowsByAccountOrTime(by, counts));
  // All rates of a table have the same kind of base.
  const holds = isWhole(days) && by !== 'day' && by !== 'week' ? 'contacts' : 'emails';
  const sum = sumOf(rows);
  const tracking = await readTracked(db, campaigns, config.publicUrl);
  const total = reportRow(sum, holds, trackedOf(tracking, sum));
  const byRow = Map.groupBy(tracking, ({ id, rotation_id }) => rotation_id ?? -id);
  const trackedIn = (row: WorkspaceKey & Counts) =>
    row.campaign_id === undefined ? total.tracked : trackedOf(byRow.get(row.rotation_id ?? -row.campaign_id) ?? [], row);
  return {
    by,
    ...days,
    rows: rows.filter(hasCounted).map((row) => ({ ...keyOf(row), ...reportRow(row, holds, trackedIn(row)) })),
    total,
    answers: await readAnswers(db, caller.workspaceId, campaigns, days, total.rates.replied?.of ?? 0),
  };
}

const KEYS = ['campaign_id', 'campaign_name', 'rotation_id', 'day', 'week', 'account_id', 'account_email'] as const;

const keyOf = (row: WorkspaceKey): WorkspaceKey => Object.fromEntries(KEYS.filter((name) => name in row).map((name) => [name, row[name]]));

/** Index: campaigns_pkey. */
const byCampaign = (counts: Sql): Sql => sql`
  select min(g.campaign_id) as campaign_id, (array_agg(c.name order by c.id))[1] as campaign_name, c.rotation_group_id as rotation_id,
    ${measureSums('g')}
  from (${counts}) g join campaigns c on c.id = g.campaign_id group by c.rotation_group_id, coalesce(c.rotation_group_id, c.id) order by 1`;
