export { sendDailySummaries } from './send-summaries.ts';
export { getDailySummary, setDailySummary } from './set-summary.ts';
