import type { App } from '../app.ts';
import { SECOND } from '../core/clock.ts';
import { messageOf } from '../core/errors.ts';
import { BURST } from './machine.ts';
import { MAX_HITS_PER_MAIL, type RawHit, writeHits } from './write-hits.ts';

/** How often hits are written. */
const PERIOD = SECOND;
/** A hit waits so long before it is judged: then a burst that it began is over, and its mail's acceptance is recorded. */
const SETTLED = BURST + SECOND;
const MAX_WAITING = 10_000;

interface Waiting {
  hit: RawHit;
  since: number;
}

/**
 * Takes hits at once and writes them in groups, one group after the other, so that a flood costs neither memory nor the
 * answer's time. A click is answered before it is written: a crash within these seconds loses a statistic, never a state.
 */
export class HitLog {
  readonly #app: App;
  #waiting: Waiting[] = [];
  #perMail = new Map<number, number>();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  /** What came while as much waited as may. */
  #dropped = 0;

  constructor(app: App) {
    this.#app = app;
  }

  add(hit: RawHit): void {
    const ofMail = this.#perMail.get(hit.outboxId) ?? 0;
    if (ofMail >= MAX_HITS_PER_MAIL) return;
    if (this.#waiting.length >= MAX_WAITING) {
      this.#dropped++;
      return;
    }
    this.#perMail.set(hit.outboxId, ofMail + 1);
    this.#waiting.push({ hit, since: performance.now() });
    this.#timer ??= setTimeout(() => void this.#turn(), PERIOD);
  }

  /** Writes all that waits; resolves when it is written or given up. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#write(Number.POSITIVE_INFINITY);
  }

  async #turn(): Promise<void> {
    await this.#write(performance.now() - SETTLED);
    this.#timer = this.#waiting.length === 0 ? undefined : setTimeout(() => void this.#turn(), PERIOD);
  }

  /** Writes what came before that instant; younger hits still tell whether an older one was part of a burst. */
  #write(before: number): Promise<void> {
    this.#writing = this.#writing.then(async () => {
      const hits = this.#waiting.filter(({ since }) => since <= before).map(({ hit }) => hit);
      const younger = this.#waiting.filter(({ since }) => since > before);
      this.#waiting = younger;
      this.#perMail = new Map();
      for (const { hit } of younger) this.#perMail.set(hit.outboxId, (this.#perMail.get(hit.outboxId) ?? 0) + 1);
      if (this.#dropped > 0) this.#app.log.warn({ hits: this.#dropped }, 'more opens and clicks came than can wait; these are not counted');
      this.#dropped = 0;
      await writeHits(
        this.#app,
        hits,
        younger.map(({ hit }) => hit),
      ).catch((error) => this.#app.log.error({ reason: messageOf(error), hits: hits.length }, 'opens and clicks could not be written'));
    });
    return this.#writing;
  }
}
