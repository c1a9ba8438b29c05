import { type Caller, visible } from '../access/index.ts';
import { type Queryable, type Sql, sql } from '../db/statement.ts';
import { countedEvents, isWhole, measureSums, type ReportDays } from '../events/index.ts';
import type { RowKey } from './campaign-report.ts';
import { type DaysGiven, daysIn } from './report-days.ts';
import { type Counts, hasCounted, type ReportCounts, reportRow, sumOf } from './report-row.ts';

export const WORKSPACE_REPORTS = ['campaign', 'account', 'day'] as const;
export type WorkspaceReportBy = (typeof WORKSPACE_REPORTS)[number];

/** A report on all campaigns that the caller can see. Contacts count once in each campaign. Its total is the sum of its rows. */
export interface WorkspaceReport extends ReportDays {
  by: WorkspaceReportBy;
  rows: (WorkspaceKey & ReportCounts)[];
  total: ReportCounts;
}

/** By campaign also the id and name of the campaign, and its rotation group. */
interface WorkspaceKey extends Pick<RowKey, 'day' | 'account_id' | 'account_email'> {
  campaign_id?: number;
  campaign_name?: string;
  rotation_id?: number | null;
}

/** Reports on the workspace. An instant stands for its day in the workspace's zone, or in UTC. Index: workspaces_pkey. */
export async function workspaceReport(
  db: Queryable,
  caller: Caller,
  { by, ...given }: DaysGiven & { by: WorkspaceReportBy },
): Promise<WorkspaceReport> {
  const [workspace] = await db.query<{ timezone: string | null }>(sql`select timezone from workspaces where id = ${caller.workspaceId}`);
  const days = daysIn(given, workspace?.timezone ?? 'UTC');
  const counts = countedEvents(sql`select c.id from campaigns c where ${visible(caller, 'campaigns', 'c')}`, days);
  const rows = await db.query<WorkspaceKey & Counts>(rowsBy(by, counts));
  const holds = isWhole(days) && by === 'campaign' ? 'contacts' : 'emails';
  return {
    ...{ by, ...days },
    rows: rows.filter(hasCounted).map((row) => ({ ...keyOf(row), ...reportRow(row, holds) })),
    total: reportRow(sumOf(rows), isWhole(days) ? 'contacts' : 'emails'),
  };
}

const KEYS = ['campaign_id', 'campaign_name', 'rotation_id', 'day', 'account_id', 'account_email'] as const;

const keyOf = (row: WorkspaceKey): WorkspaceKey => Object.fromEntries(KEYS.filter((name) => name in row).map((name) => [name, row[name]]));

/** Indexes: campaigns_pkey, accounts_pkey. */
function rowsBy(by: WorkspaceReportBy, counts: Sql): Sql {
  switch (by) {
    case 'campaign':
      return sql`
        select g.campaign_id, c.name as campaign_name, c.rotation_group_id as rotation_id, ${measureSums('g')}
        from (${counts}) g join campaigns c on c.id = g.campaign_id group by 1, 2, 3 order by 1`;
    case 'account':
      return sql`
        select g.account_id, a.email as account_email, ${measureSums('g')} from (${counts}) g join accounts a on a.id = g.account_id
        group by 1, 2 order by 1`;
    case 'day':
      return sql`select g.day::text as day, ${measureSums('g')} from (${counts}) g group by 1 order by 1`;
  }
}
