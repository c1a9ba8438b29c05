import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';

/**
 * What this process counts of itself, named by Prometheus' conventions: base units, `_total` for what only grows, no
 * label that grows with the data. Several daemons are several targets; sums over them are what the cluster did.
 */
export const registry = new Registry();
const registers = [registry];

export const requestSeconds = new Histogram({
  name: 'outreach_http_request_duration_seconds',
  help: 'Time from a request to the end of its answer, by route template',
  labelNames: ['method', 'route', 'status'] as const,
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
  registers,
});

const jobSeconds = new Histogram({
  name: 'outreach_job_duration_seconds',
  help: 'Time that a job took, by its name in the timetable and whether it failed',
  labelNames: ['job', 'outcome'] as const,
  buckets: [0.01, 0.05, 0.25, 1, 5, 30, 120, 600],
  registers,
});

export const eventsTotal = new Counter({
  name: 'outreach_events_total',
  help: 'Events that this daemon logged, by type: sent and bounced mails, replies, failures and so on',
  labelNames: ['type'] as const,
  registers,
});

/** Processor, memory, file descriptors, event loop and garbage collection; once per process, when somebody wants them. */
export function watchProcess(): void {
  if (registry.getSingleMetric('process_cpu_seconds_total') === undefined) collectDefaultMetrics({ register: registry });
}

/** Runs a job and notes how long it took. */
export async function timedJob<Result>(job: string, work: () => Promise<Result>): Promise<Result> {
  const end = jobSeconds.startTimer({ job });
  try {
    const result = await work();
    end({ outcome: 'done' });
    return result;
  } catch (error) {
    end({ outcome: 'failed' });
    throw error;
  }
}
