export { type ReportPage, reportPage } from './report-page.ts';
export { type AnyReport, keyOfRow } from './row-key.ts';
