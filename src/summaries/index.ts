export { sendDailySummaries } from './send-summaries.ts';
export { type DailySummary, getDailySummary, setDailySummary } from './set-summary.ts';
