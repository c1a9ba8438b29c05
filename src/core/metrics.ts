import { subscribe } from 'node:diagnostics_channel';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { EVENT_TYPES } from './event-types.ts';

/**
 * The metrics of this process, named by the conventions of Prometheus: base units, `_total` for counters, and no label
 * whose values grow with the data. Each daemon is a target; sum over them for the cluster.
 */
export const registry = new Registry();
const registers = [registry];

export const requestSeconds = new Histogram({
  name: 'outreach_http_request_duration_seconds',
  help: 'Duration of HTTP requests by route template',
  labelNames: ['method', 'route', 'status'] as const,
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
  registers,
});

const jobSeconds = new Histogram({
  name: 'outreach_job_duration_seconds',
  help: 'Duration of jobs by name and outcome',
  labelNames: ['job', 'outcome'] as const,
  buckets: [0.01, 0.05, 0.25, 1, 5, 30, 120, 600],
  registers,
});

/** A recurring job runs once a period in the whole cluster; every daemon reports when it last ran. */
export const jobLastRun = new Gauge({
  name: 'outreach_job_last_run_timestamp_seconds',
  help: 'Time at which a recurring job last began to run in any daemon',
  labelNames: ['job'] as const,
  registers,
});

export const workRunning = new Gauge({
  name: 'outreach_work_running',
  help: 'Places taken by work on outside servers in this daemon, by job',
  labelNames: ['job'] as const,
  registers,
});

const eventsTotal = new Counter({
  name: 'outreach_events_total',
  help: 'Events logged by this daemon, by type',
  labelNames: ['type'] as const,
  registers,
});

// A counter that appears with its first value has no increase: prometheus.io/docs/practices/instrumentation, "Avoid missing metrics".
for (const type of EVENT_TYPES) eventsTotal.inc({ type }, 0);

// events/record.ts publishes on this channel, so that commands that log events do not load the metrics.
subscribe('outreach:events', (logged) => {
  const { type, count } = logged as { type: string; count: number };
  eventsTotal.inc({ type }, count);
});

export const unreadableTotal = new Counter({
  name: 'outreach_unreadable_messages_total',
  help: 'Inbound messages that could not be read and were quarantined',
  registers,
});

/** Emails that a server did not accept, by the class of its reply (`ReplyClass`), or by what happened instead of a reply. */
export const sendFailuresTotal = new Counter({
  name: 'outreach_send_failures_total',
  help: "Attempts to send that failed in this daemon, by the class of the server's reply",
  labelNames: ['class'] as const,
  registers,
});

const FAILURES = ['hard', 'soft', 'temp', 'limit', 'account', 'block', 'message', 'connection', 'uncertain', 'unwritable'] as const;
for (const kind of FAILURES) sendFailuresTotal.inc({ class: kind }, 0);

/** Response times of SMTP servers: to connect and log in, and to accept an email. */
export const smtpSeconds = new Histogram({
  name: 'outreach_smtp_duration_seconds',
  help: 'Time that SMTP servers took, to connect and log in, and to take an email',
  labelNames: ['phase'] as const,
  buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120],
  registers,
});
for (const phase of ['connect', 'send']) smtpSeconds.zero({ phase });

const buildInfo = new Gauge({
  name: 'outreach_build_info',
  help: '1, with the version of this daemon',
  labelNames: ['version'] as const,
  registers,
});

/** Sets the metric of this daemon's version. */
export const noteVersion = (version: string): void => buildInfo.set({ version }, 1);

/** Starts the counts of the jobs' outcomes at 0. */
export function expectJobs(jobs: readonly string[]): void {
  for (const job of jobs) for (const outcome of ['done', 'failed']) jobSeconds.zero({ job, outcome });
}

/** Gauges that prom-client names like counters. The metrics without `_total` have the same information. */
const MISNAMED = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];

/** Starts the default metrics of Node: processor, memory, file descriptors, event loop, garbage collection. Idempotent. */
export function watchProcess(): void {
  if (registry.getSingleMetric('process_cpu_seconds_total') !== undefined) return;
  collectDefaultMetrics({ register: registry });
  for (const name of MISNAMED) registry.removeSingleMetric(name);
}

/** Number of running jobs, by name. */
const running = new Map<string, number>();

/** The names of the running jobs. */
export const runningJobs = (): string[] => [...running.keys()];

export const stallSeconds = new Counter({
  name: 'outreach_main_thread_stalled_seconds_total',
  help: 'Time by which the main thread of this daemon was late, in stalls of a second or more',
  registers,
});

/** Runs a job and records its duration and outcome. */
export async function timedJob<Result>(job: string, work: () => Promise<Result>): Promise<Result> {
  const end = jobSeconds.startTimer({ job });
  running.set(job, (running.get(job) ?? 0) + 1);
  try {
    const result = await work();
    end({ outcome: 'done' });
    return result;
  } catch (error) {
    end({ outcome: 'failed' });
    throw error;
  } finally {
    const left = (running.get(job) ?? 0) - 1;
    if (left > 0) running.set(job, left);
    else running.delete(job);
  }
}
