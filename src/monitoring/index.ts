export { healthAnswer, type Readiness } from './health.ts';
export { type MetricsServer, startMetrics } from './metrics-server.ts';
export { type QueueState, readQueueState } from './queue-state.ts';
export { lastBackup, recordBackup } from './recorded-backups.ts';
export { readStatus } from './status.ts';
