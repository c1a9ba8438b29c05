import type { JobParameters } from 'agenda';

/** A job that has not run for longer than its period allows. */
export interface LateJob {
  name: string;
  /** Its period. */
  everySeconds: number;
  /** Time for which it has been observed not to run. */
  seconds: number;
}

interface Seen {
  everySeconds: number;
  /** A value that changes when the job begins and ends, and while it runs. */
  sign: string;
  /** Checks since the sign last changed. */
  checks: number;
}

/**
 * Tracks how long each recurring job has not run in the whole cluster. Time is counted in checks of a timer, so that neither a wrong clock
 * nor a pause of this process makes a job late.
 */
export class LastRuns {
  readonly #checkSeconds: number;
  readonly #seen = new Map<string, Seen>();

  /** @param checkSeconds time between two checks */
  constructor(checkSeconds: number) {
    this.#checkSeconds = checkSeconds;
  }

  add(name: string, everySeconds: number): void {
    this.#seen.set(name, { everySeconds, sign: '', checks: 0 });
  }

  /** Counts a check, even if the store does not answer. */
  countCheck(): void {
    for (const seen of this.#seen.values()) seen.checks++;
  }

  /** Records the jobs as they are in the store. */
  note(jobs: readonly JobParameters[]): void {
    for (const { name, lastRunAt, lastFinishedAt, lockedAt } of jobs) {
      const seen = this.#seen.get(name);
      if (seen === undefined || !lastRunAt) continue;
      // The lock of a running job is renewed. A lock alone proves nothing: it may have been taken and then lost.
      const isRunning = lockedAt && !(lastFinishedAt && lastFinishedAt >= lastRunAt);
      const sign = `${lastRunAt.getTime()} ${isRunning ? lockedAt.getTime() : 'ended'}`;
      if (seen.sign !== sign) Object.assign(seen, { sign, checks: 0 });
    }
  }

  /** Returns the jobs that have not run for longer than their period plus `graceSeconds`. */
  late(graceSeconds: number): LateJob[] {
    return [...this.#seen].flatMap(([name, { everySeconds, checks }]) => {
      const seconds = checks * this.#checkSeconds;
      return seconds > everySeconds + graceSeconds ? [{ name, everySeconds, seconds: Math.floor(seconds) }] : [];
    });
  }
}
