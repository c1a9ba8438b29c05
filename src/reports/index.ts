export { CAMPAIGN_REPORTS, type CampaignReport, campaignReport, rotationReport } from './campaign-report.ts';
export type { Proportion } from './proportion.ts';
export type { ReportCounts } from './report-row.ts';
export { WORKSPACE_REPORTS, type WorkspaceReport, workspaceReport } from './workspace-report.ts';
