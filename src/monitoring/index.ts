export { type MetricsServer, startMetrics } from './metrics-server.ts';
