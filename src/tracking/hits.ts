import type { App } from '../app.ts';
import { SECOND } from '../core/clock.ts';
import { messageOf } from '../core/errors.ts';
import { MicroBatcher } from '../core/micro-batcher.ts';
import { BURST } from './machine.ts';
import { MAX_HITS_PER_EMAIL, type RawHit, writeHits } from './write-hits.ts';

/** At least this long between two groups. */
const PERIOD = SECOND;
/** Age at which a hit is judged: then a burst that it began is over, and its email's acceptance is recorded. */
const SETTLED = BURST + SECOND;
const MAX_WAITING = 10_000;

/**
 * Takes hits at once and writes them in groups, one group after the other, so that a flood costs neither memory nor the
 * answer's time. A click is answered before it is written: a crash within these four seconds loses a statistic, never a state.
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
  /** Hits that came while `MAX_WAITING` waited. */
  #dropped = 0;

  constructor(app: App) {
    this.#app = app;
  }

  /** Takes a hit, unless too many wait: those are counted and logged, or past 200 of one email dropped in silence. */
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

  /** Writes all that waits; resolves when it is written or given up. */
  flush(): Promise<void> {
    return this.#batcher.flush();
  }

  /** Writes hits, or logs that it could not. Younger ones still tell whether one of these was part of a burst. */
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
