import type { Agenda, JobParameters } from 'agenda';
import { SECOND } from '../core/clock.ts';
import { messageOf } from '../core/errors.ts';
import type { Logger } from '../core/log.ts';
import { jobLastRun } from '../core/metrics.ts';
import { LastRuns } from './last-runs.ts';

/** A job that is late by this many grace periods, despite restarts, is reported as a problem. */
const PROBLEM_GRACES = 5;
/** Minimum time between two restarts of late jobs, which need a moment to run. */
const RESTART_PAUSE = 20 * SECOND;
/** A check that takes longer is waiting for a dead connection, so the next one begins. */
const MAX_CHECK_TIME = 30 * SECOND;

/** The part of the job store that the watchdog needs. */
export interface Watched {
  /** Returns the recurring jobs, after recreating those that the store has lost. */
  recurringJobs(): Promise<JobParameters[]>;
  /** True if this daemon holds the lock of the job, but does not run it. */
  isIdlyLocked(job: JobParameters): boolean;
  /** Restarts Agenda's processing in this daemon, and recreates the named jobs. */
  restart(names: readonly string[]): Promise<void>;
}

interface WatchdogOptions {
  watchSeconds: number;
  graceSeconds: number;
  log: Logger;
}

/**
 * Ensures that recurring jobs run, with its own timer. Agenda's locks are reliable, and so is its scanning. Its state in memory is not. If
 * a job's lock expires between locking and running (the process was stopped, the main thread or the database was slow), Agenda drops the
 * job but still counts it, until the limit of locks is reached and no job of that name runs again. And a lock whose confirmation was lost
 * is held until it expires. Both show as locks without a job that waits or runs.
 */
export class Watchdog {
  readonly #watched: Watched;
  readonly #agenda: Agenda;
  readonly #options: WatchdogOptions;
  readonly #lastRuns: LastRuns;
  /** The locks that had no job at the last check. */
  #suspects = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #check: Promise<void> | undefined;
  #checkBegan = 0;
  #restartedAt = Number.NEGATIVE_INFINITY;

  constructor(watched: Watched, agenda: Agenda, options: WatchdogOptions) {
    this.#watched = watched;
    this.#agenda = agenda;
    this.#options = options;
    this.#lastRuns = new LastRuns(options.watchSeconds);
  }

  add(name: string, everySeconds: number): void {
    this.#lastRuns.add(name, everySeconds);
  }

  start(): void {
    this.#timer = setInterval(() => this.#tick(), this.#options.watchSeconds * SECOND);
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#check;
  }

  /** Lists, in one line, the jobs that do not run although they were restarted; undefined if there are none. */
  problem(): string | undefined {
    const late = this.#lastRuns.late(this.#options.graceSeconds * PROBLEM_GRACES);
    if (late.length === 0) return undefined;
    return late
      .map(({ name, seconds, everySeconds }) => `the job "${name}" should run every ${everySeconds} s, but has not run for ${seconds} s`)
      .join('; ');
  }

  #tick(): void {
    this.#lastRuns.countCheck();
    const now = performance.now();
    if (this.#check !== undefined && now - this.#checkBegan < MAX_CHECK_TIME) return;
    this.#checkBegan = now;
    const check: Promise<void> = this.#watch()
      .catch((error) => this.#options.log.warn({ reason: messageOf(error) }, 'could not check whether the jobs run'))
      .finally(() => {
        if (this.#check === check) this.#check = undefined;
      });
    this.#check = check;
  }

  async #watch(): Promise<void> {
    const jobs = await this.#watched.recurringJobs();
    this.#lastRuns.note(jobs);
    for (const { name, lastRunAt } of jobs) if (lastRunAt) jobLastRun.set({ job: name }, lastRunAt.getTime() / SECOND);
    const suspects = new Set([...jobs.filter((job) => this.#watched.isIdlyLocked(job)), ...(await this.#dropped())].map(lockOf));
    const lost = [...suspects].filter((lock) => this.#suspects.has(lock));
    this.#suspects = suspects;
    const mayStart = performance.now() - this.#restartedAt > RESTART_PAUSE;
    const late = mayStart ? this.#lastRuns.late(this.#options.graceSeconds).map(({ name }) => name) : [];
    if (lost.length === 0 && late.length === 0) return;
    if (late.length > 0) this.#restartedAt = performance.now();
    this.#options.log.warn({ lost_locks: lost.length, late }, 'jobs that did not run are restarted');
    await this.#watched.restart(late);
  }

  /** Returns the jobs that Agenda has locked and neither runs nor will run. */
  async #dropped(): Promise<JobParameters[]> {
    const { lockedJobs, queuedJobs, runningJobs } = await this.#agenda.getRunningStats(true);
    const known = new Set([...listed(queuedJobs), ...listed(runningJobs)].map(({ _id }) => String(_id)));
    return listed(lockedJobs).filter(({ _id }) => !known.has(String(_id)));
  }
}

const listed = (jobs: number | JobParameters[]): JobParameters[] => (typeof jobs === 'number' ? [] : jobs);

const lockOf = ({ _id, lockedAt }: JobParameters): string => `${_id} ${lockedAt?.getTime()}`;
