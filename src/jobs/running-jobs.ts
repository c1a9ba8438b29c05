import type { Job } from 'agenda';

/** In milliseconds. */
interface Limits {
  lockLifetime: number;
  longest: number;
}

/** The jobs that this daemon runs. Their locks are renewed while they run. */
export class RunningJobs {
  readonly #controllers = new Map<string, AbortController>();
  #isStopping = false;

  /** True if this daemon runs the job with this id. */
  has(jobId: unknown): boolean {
    return this.#controllers.has(String(jobId));
  }

  /**
   * Runs the work of a job, unless `stop` was called, and renews the job's lock meanwhile. If the work takes longer than `longest`, aborts
   * its signal and stops renewing the lock, so that the job runs again even if the work never ends.
   */
  async run(job: Job, { lockLifetime, longest }: Limits, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    if (this.#isStopping) return;
    const controller = new AbortController();
    const id = String(job.attrs._id);
    this.#controllers.set(id, controller);
    const begun = performance.now();
    let touching: Promise<void> | undefined;
    const keepAlive = setInterval(() => {
      if (performance.now() - begun > longest) return controller.abort(new Error(`it took longer than ${longest / 60_000} minutes`));
      touching ??= job
        .touch()
        .catch(() => undefined)
        .finally(() => {
          touching = undefined;
        });
    }, lockLifetime / 6);
    try {
      await work(controller.signal);
    } finally {
      clearInterval(keepAlive);
      // A renewal that arrived after the end would lock the job again.
      await touching;
      if (this.#controllers.get(id) === controller) this.#controllers.delete(id);
    }
  }

  /** Aborts the signals of all running jobs, and starts no more. */
  stop(): void {
    this.#isStopping = true;
    for (const controller of this.#controllers.values()) controller.abort();
  }
}
