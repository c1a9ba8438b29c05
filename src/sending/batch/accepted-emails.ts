import type { Acceptance } from '../email/settle.ts';
import type { AcceptanceLog } from './acceptance-log.ts';

/** The accepted emails of one batch; it knows when all are recorded, and if one could not be. */
export class AcceptedEmails {
  readonly #log: AcceptanceLog;
  /** Resolves when every email so far is recorded; rejects if one could not be. */
  #recorded: Promise<void> = Promise.resolve();
  #hasFailed = false;

  constructor(log: AcceptanceLog) {
    this.#log = log;
  }

  /**
   * Has an email recorded, and resolves when there is room for another one. Throws if one of them could not be recorded: a database that
   * records nothing may still grant permits, for thousands of emails whose delivery would be unknown.
   */
  async add(acceptance: Acceptance): Promise<void> {
    const recorded = this.#log.add(acceptance);
    const before = this.#recorded;
    this.#recorded = recorded.then(() => before);
    this.#recorded.catch(() => {
      this.#hasFailed = true;
    });
    await this.#log.room();
    if (this.#hasFailed) await this.#recorded;
  }

  /** Has all of them recorded now. Throws if one could not be. */
  async flush(): Promise<void> {
    await this.#log.flush();
    await this.#recorded;
  }
}
