export { sendScheduledEmails } from './send-scheduled.ts';
export { getDailySummary, setDailySummary } from './set-summary.ts';
export { listWeeklyReports, setWeeklyReport } from './weekly-reports.ts';
