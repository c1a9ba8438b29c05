import type { App } from '../app.ts';
import { SECOND } from '../core/clock.ts';
import { messageOf } from '../core/errors.ts';
import { MicroBatcher } from '../core/micro-batcher.ts';
import { BURST } from './machine.ts';
import { MAX_HITS_PER_EMAIL, type RawHit, writeHits } from './write-hits.ts';

/** Minimum time between two batches of hits. */
const PERIOD = SECOND;
/** Age at which a hit is judged. By then a burst that it began is over, and the acceptance of its email is recorded. */
const SETTLED = BURST + SECOND;
const MAX_WAITING = 10_000;

/**
 * Accepts hits immediately and writes them in batches, one after the other, so that a flood neither fills the memory nor delays
 * responses. A click is answered before it is written: a crash within these four seconds loses a statistic, never a state.
 */
export class HitLog {
  readonly #app: App;
  readonly #batcher = new MicroBatcher<RawHit, unknown>({
    work: (hits, younger) => this.#write(hits, younger),
    linger: SETTLED + PERIOD,
    minAge: SETTLED,
  });
  /** Waiting hits of each email. */
  #perEmail = new Map<number, number>();
  /** Number of hits that came while `MAX_WAITING` hits were waiting. */
  #dropped = 0;

  constructor(app: App) {
    this.#app = app;
  }

  /**
   * Queues a hit. If too many are waiting, drops it; the number of dropped hits is logged. Silently drops hits beyond 200 for one email.
   */
  add(hit: RawHit): void {
    const ofEmail = this.#perEmail.get(hit.outboxId) ?? 0;
    if (ofEmail >= MAX_HITS_PER_EMAIL) return;
    if (this.#batcher.size >= MAX_WAITING) {
      this.#dropped++;
      return;
    }
    this.#perEmail.set(hit.outboxId, ofEmail + 1);
    void this.#batcher.add(hit);
  }

  /** Writes all waiting hits. Resolves when they are written or the write has failed. */
  flush(): Promise<void> {
    return this.#batcher.flush();
  }

  /** Writes hits, or logs that it could not. @param younger waiting hits, which show if one of these is part of a burst */
  async #write(hits: readonly RawHit[], younger: readonly RawHit[]): Promise<readonly unknown[]> {
    const ofEmails = Map.groupBy(younger, ({ outboxId }) => outboxId);
    this.#perEmail = new Map([...ofEmails].map(([outboxId, waiting]) => [outboxId, waiting.length]));
    if (this.#dropped > 0)
      this.#app.log.warn({ hits: this.#dropped }, 'too many opens and clicks are waiting to be written; these are not counted');
    this.#dropped = 0;
    await writeHits(this.#app, hits, younger).catch((error) =>
      this.#app.log.error({ reason: messageOf(error), hits: hits.length }, 'opens and clicks could not be written'),
    );
    return hits;
  }
}
