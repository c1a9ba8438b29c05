export { type ReportPage, reportPage } from './report-page.ts';
export { type AnyReport, keyOfRow } from './row-key.ts';
export { comparisonsOf, type ShownCounts, shownRow, trackingNote } from './shown-row.ts';
