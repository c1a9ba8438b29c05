/**
 * The few functions of Agenda that the service uses. It schedules work and spreads it over the daemons, but is never the source of truth: a
 * job that is lost is recreated from PostgreSQL.
 */
export interface JobStore {
  /** Runs `work` once a period, in one of the daemons. A failure is logged and does not affect the next run. */
  recurring(name: string, seconds: number, work: JobWork, options?: { atStart?: boolean }): void;
  /** Runs `work` for the id of each enqueued item, in any daemon, with at most `concurrency` concurrent runs in this one. */
  perItem(name: string, concurrency: number, work: (itemId: number, signal: AbortSignal) => Promise<unknown>): void;
  /** Creates a job for each due item that has none waiting or running. Returns how many were created. */
  enqueue(name: string, due: () => Promise<readonly number[]>): Promise<number>;
  /** Registers the recurring jobs and starts to run jobs. All jobs must be defined before. */
  start(): Promise<void>;
  /** The recurring jobs that do not run although they were restarted, in one line; undefined if all run. */
  problem(): string | undefined;
  /** Starts no new jobs, aborts the signal of running ones, waits for them, releases the locks and closes the store. */
  drain(): Promise<void>;
}

/** @param signal aborted when the daemon drains or the work takes too long; work that can stop between two emails then stops */
export type JobWork = (signal: AbortSignal) => Promise<unknown>;

export interface JobStoreOptions {
  /**
   * Lifetime in seconds of the lock on a running job; it is renewed while the work lasts. Jobs of a dead daemon can run
   * again once it has expired, or as soon as a daemon starts on the same host.
   */
  lockSeconds?: { recurring: number; account: number };
  /** Period in seconds at which each daemon checks that every recurring job runs. */
  watchSeconds?: number;
  /** A job that is late by this many seconds is restarted. Must be longer than it takes to renew a lock. */
  graceSeconds?: number;
}
