import type { JobParameters } from 'agenda';

/** A job that has not run for longer than its period allows. */
export interface LateJob {
  name: string;
  /** Its period. */
  everySeconds: number;
  /** For how long it was seen not to run. */
  seconds: number;
}

interface Seen {
  everySeconds: number;
  /** Changes when the job begins and ends, and while it runs. */
  sign: string;
  /** Checks since the sign last changed. */
  checks: number;
}

/**
 * For how long each recurring job has not run in the whole cluster. Time is counted in the checks of a timer: neither a wrong clock nor the
 * time in which this process itself stood still makes a job late.
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

  /** Counts a check, whether or not the store answers it. */
  countCheck(): void {
    for (const seen of this.#seen.values()) seen.checks++;
  }

  /** Takes the jobs as the store has them. */
  note(jobs: readonly JobParameters[]): void {
    for (const { name, lastRunAt, lastFinishedAt, lockedAt } of jobs) {
      const seen = this.#seen.get(name);
      if (seen === undefined || !lastRunAt) continue;
      // The lock of a running job is renewed. A lock alone proves nothing: it may be one that was taken and lost.
      const isRunning = lockedAt && !(lastFinishedAt && lastFinishedAt >= lastRunAt);
      const sign = `${lastRunAt.getTime()} ${isRunning ? lockedAt.getTime() : 'ended'}`;
      if (seen.sign !== sign) Object.assign(seen, { sign, checks: 0 });
    }
  }

  /** The jobs that have not run for longer than their period and `graceSeconds`. */
  late(graceSeconds: number): LateJob[] {
    return [...this.#seen].flatMap(([name, { everySeconds, checks }]) => {
      const seconds = checks * this.#checkSeconds;
      return seconds > everySeconds + graceSeconds ? [{ name, everySeconds, seconds: Math.floor(seconds) }] : [];
    });
  }
}
