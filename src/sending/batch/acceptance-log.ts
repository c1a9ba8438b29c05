import type { App } from '../../app.ts';
import { MicroBatcher } from '../../core/micro-batcher.ts';
import { type Acceptance, settleAccepted } from '../email/settle.ts';
import { isRefusal, retryWrite } from './retry-write.ts';

/** With so many emails waiting, senders wait for room before they add another. */
const FULL = 100;
const LINGER_MILLISECONDS = 20;

/**
 * Records accepted emails in groups: at full speed a commit for each would halve the rate. If a crash prevents that, they
 * stay `transmitting`, and recovery looks for them in the Sent folder.
 */
export class AcceptanceLog {
  readonly #app: App;
  readonly #batcher = new MicroBatcher<Acceptance, unknown>({ work: (group) => this.#record(group), linger: LINGER_MILLISECONDS });

  constructor(app: App) {
    this.#app = app;
  }

  /**
   * Resolves when there is room for another email: at once, or when those that wait are being recorded. Waiting until they are recorded
   * would leave processors idle: 50 accounts then sent 2,850 emails a second instead of 3,300.
   */
  async room(): Promise<void> {
    if (this.#batcher.size >= FULL) await this.#batcher.begin();
  }

  /** Resolves when the email is recorded, within 20 ms and a commit or two; rejects if that fails. */
  async add(acceptance: Acceptance): Promise<void> {
    await this.#batcher.add(acceptance);
  }

  /** Records the waiting emails now. Resolves after the attempt; its success is reported by the promises of `add`. */
  flush(): Promise<void> {
    return this.#batcher.flush();
  }

  async #record(group: readonly Acceptance[]): Promise<unknown[]> {
    try {
      await retryWrite(this.#app, () => settleAccepted(this.#app, group), isRefusal);
      return [...group];
    } catch (error) {
      if (group.length > 1 && isRefusal(error)) return this.#recordEach(group);
      this.#app.log.error({ err: error, emails: group.length }, 'accepted emails could not be recorded; recovery will look them up');
      throw error;
    }
  }

  /** Records emails one by one, so that one that the database rejects does not hold up the others. */
  async #recordEach(group: readonly Acceptance[]): Promise<Promise<unknown>[]> {
    const each = group.map((acceptance) => this.#record([acceptance]));
    await Promise.allSettled(each);
    return each;
  }
}
