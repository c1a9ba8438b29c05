import type { Comparison } from '../comparison.ts';
import type { Rates, ReportCounts, Tracked } from '../report-row.ts';
import type { AnyReport } from './row-key.ts';

const TRACKED_COUNTS = { opened: ['opened', 'machine_opened'], clicked: ['clicked', 'machine_clicked'] } as const;
type TrackedCount = (typeof TRACKED_COUNTS)[keyof Tracked][number];

/** A row of a report as it is shown: untracked opens and clicks are null instead of 0. */
export type ShownCounts = Omit<ReportCounts, TrackedCount> & Record<TrackedCount, number | null>;

export function shownRow<Row extends ReportCounts>(row: Row): Omit<Row, TrackedCount> & ShownCounts {
  const untracked = (Object.keys(TRACKED_COUNTS) as (keyof Tracked)[]).filter((name) => !row.tracked[name]);
  const none = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, null]));
  const rates: Rates = { ...row.rates, ...none(untracked) };
  return { ...row, ...none(untracked.flatMap((name) => TRACKED_COUNTS[name])), rates };
}

/** Explains the dashes in place of opens and clicks in a sentence; null for a report without such dashes. */
export function trackingNote({ rows, total }: Pick<AnyReport, 'rows' | 'total'>): string | null {
  const { opened, clicked } = total.tracked;
  if (!opened && !clicked) return 'Opens and clicks are not tracked.';
  if (!opened) return 'Opens are not tracked.';
  if (!clicked) return 'Clicks are not tracked.';
  const isPartial = rows.some(({ tracked }) => !tracked.opened || !tracked.clicked);
  return isPartial ? 'A dash instead of opens or clicks: the campaign does not track them.' : null;
}

/** Returns the comparisons of variants by tracked rates. */
export const comparisonsOf = (report: AnyReport): Comparison[] =>
  ('comparison' in report ? (report.comparison ?? []) : []).filter(({ rate }) => rate === 'replied' || report.total.tracked[rate]);
