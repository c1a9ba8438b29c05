import type { App } from '../../app.ts';
import { sqlState } from '../../core/errors.ts';
import { MicroBatcher } from '../../core/micro-batcher.ts';
import { type Acceptance, settleAccepted } from '../email/settle.ts';
import { retryWrite } from './retry-write.ts';

/** When this many emails wait to be recorded, nobody should add another before they are. */
const FULL = 100;
const LINGER_MILLISECONDS = 20;

/**
 * Records the emails that servers accepted, in groups: at full speed a commit for each would halve the rate. What a crash
 * keeps from being recorded stays `transmitting`, and recovery looks for it in the Sent folder.
 */
export class AcceptanceLog {
  readonly #app: App;
  readonly #batcher = new MicroBatcher<Acceptance, unknown>({ work: (group) => this.#record(group), linger: LINGER_MILLISECONDS });

  constructor(app: App) {
    this.#app = app;
  }

  /** True when so many wait that a sender should flush before it sends another. */
  get isFull(): boolean {
    return this.#batcher.size >= FULL;
  }

  /** Resolves when the email is recorded, within 20 ms and a commit or two; rejects when it could not be. */
  async add(acceptance: Acceptance): Promise<void> {
    await this.#batcher.add(acceptance);
  }

  /** Has what waits recorded now. Resolves when that was tried: whether it succeeded, the promises of `add` tell. */
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

  /** One email that the database will never take must not keep back the others. */
  async #recordEach(group: readonly Acceptance[]): Promise<Promise<unknown>[]> {
    const each = group.map((acceptance) => this.#record([acceptance]));
    await Promise.allSettled(each);
    return each;
  }
}

/** The database answered, and will answer the same next time: SQLSTATE classes 22, 23 and 42. */
const isRefusal = (error: unknown) => /^(22|23|42)/.test(sqlState(error) ?? '');
