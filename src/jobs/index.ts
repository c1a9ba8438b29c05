import type { App } from '../app.ts';
import { timedJob } from '../core/metrics.ts';
import { createJobStore, type JobStoreOptions } from './agenda.ts';
import type { JobStoreUrls } from './backend.ts';

/** Work that is done once a period in the whole cluster. */
export interface RecurringJob {
  name: string;
  everySeconds: number;
  /** Also at once when a daemon starts. */
  atStart?: boolean;
  run(app: App, signal: AbortSignal): Promise<unknown>;
}

/** Work on one account at a time, spread over all daemons: each period asks which accounts are due and makes a job for each. */
export interface AccountJob {
  name: string;
  everySeconds: number;
  /** How many accounts one daemon works on at the same time. */
  atOnce: number;
  due(app: App, limit: number): Promise<number[]>;
  run(app: App, accountId: number, signal: AbortSignal): Promise<unknown>;
}

export interface Timetable {
  recurring: readonly RecurringJob[];
  perAccount: readonly AccountJob[];
}

export interface JobDeps extends JobStoreUrls, JobStoreOptions {
  timetable: Timetable;
}

export interface Jobs {
  /** Takes no new jobs, waits for those that run, gives their locks back. */
  drain(): Promise<void>;
}

/** Accounts that one dispatch makes jobs for; more that are due come with the next. */
const DISPATCH_LIMIT = 1_000;

/**
 * Starts to work through the timetable. Loses nothing when the job store is lost: a start makes the recurring jobs
 * again, and they find in PostgreSQL what is due.
 */
export async function startJobs(app: App, { timetable, ...deps }: JobDeps): Promise<Jobs> {
  const store = await createJobStore(app, deps, deps);
  for (const { name, everySeconds, atStart, run } of timetable.recurring)
    store.recurring(name, everySeconds, (signal) => timedJob(name, () => run(app, signal)), { atStart });
  for (const { name, everySeconds, atOnce, due, run } of timetable.perAccount) {
    store.perAccount(name, atOnce, (accountId, signal) => timedJob(name, () => run(app, accountId, signal)));
    store.recurring(`dispatch ${name}`, everySeconds, () => store.enqueue(name, () => due(app, DISPATCH_LIMIT)));
  }
  await store.start();
  return { drain: () => store.drain() };
}
