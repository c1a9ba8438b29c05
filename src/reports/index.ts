export type { Answers } from './answers.ts';
export { CAMPAIGN_REPORTS, type CampaignReport, campaignReport, rotationReport } from './campaign-report.ts';
export type { ReportCounts } from './report-row.ts';
export {
  createReportLink,
  findSharedReport,
  listReportLinks,
  requireReportLink,
  revokeReportLink,
  type SharedReport,
} from './shares.ts';
export { campaignPage, sharedReportPage, workspacePage } from './whole-pages.ts';
export { WORKSPACE_REPORTS, workspaceReport } from './workspace-report.ts';
