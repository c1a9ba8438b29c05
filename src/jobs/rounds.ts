import { setTimeout as pause } from 'node:timers/promises';
import type { App } from '../app.ts';
import { MINUTE, SECOND } from '../core/clock.ts';
import { messageOf } from '../core/errors.ts';
import { timedJob, workRunning } from '../core/metrics.ts';
import { type Placed, type Room, roomFor } from '../core/room.ts';

/** Work on outside servers, which may be slow. */
export interface Round<Item extends Placed> {
  name: string;
  /** Items that one daemon works on at the same time; at most half of them belong to one workspace. */
  places: number;
  /** Finds or claims due items for which there is room. */
  due(app: App, room: Room): Promise<readonly Item[]>;
  run(app: App, item: Item, signal: AbortSignal): Promise<unknown>;
}

/** Maximum milliseconds between two searches for due items, and the milliseconds after a failed search. */
const INTERVALS = { period: SECOND, retry: 5 * SECOND };
/** Milliseconds until a failed item is retried, doubled after each failure. */
const RETRY_DELAY = { first: 5 * SECOND, longest: 5 * MINUTE };
/** Seconds after which a search that has not returned counts as stuck. */
const STUCK_AFTER = 60;

/**
 * Does work on outside servers, in each daemon: takes as many due items as there are free places, and shares the places among workspaces
 * (`roomFor`). The work itself ensures that no other daemon runs the same item.
 */
export class Rounds<Item extends Placed> {
  readonly #app: App;
  readonly #round: Round<Item>;
  readonly #intervals: typeof INTERVALS;
  readonly #running = new Map<Item, Promise<void>>();
  readonly #resting = new Map<number, { until: number; failures: number }>();
  readonly #stopping = new AbortController();
  #work: Promise<void> = Promise.resolve();
  #lookedAt = performance.now();
  /** Called when an item has ended. */
  #onEnd: (() => void) | undefined;

  constructor(app: App, round: Round<Item>, intervals = INTERVALS) {
    this.#app = app;
    this.#round = round;
    this.#intervals = { ...intervals, period: Math.min(intervals.period, app.config.tickSeconds * SECOND) };
  }

  start(): void {
    this.#work = this.#lookAndRun();
  }

  /** Explains why no work is started; undefined if nothing is wrong. */
  problem(): string | undefined {
    const seconds = Math.floor((performance.now() - this.#lookedAt) / SECOND);
    return seconds > STUCK_AFTER ? `"${this.#round.name}" has not looked for work for ${seconds} s` : undefined;
  }

  /** Starts no more work, aborts the signal of running work, and waits for it. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#work;
    await Promise.all(this.#running.values());
  }

  async #lookAndRun(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      try {
        const begun = this.#running.size < this.#round.places ? await this.#begin() : 0;
        await this.#waitForWork(this.#intervals.period, begun > 0);
      } catch (error) {
        this.#app.log.warn({ job: this.#round.name, reason: messageOf(error) }, 'could not look for work that is due');
        await this.#waitForWork(this.#intervals.retry, false);
      }
      this.#lookedAt = performance.now();
    }
  }

  async #begin(): Promise<number> {
    const now = performance.now();
    const resting = [...this.#resting].filter(([, { until }]) => until > now).map(([id]) => id);
    const due = await this.#round.due(this.#app, roomFor(this.#round.places, this.#running.keys(), resting));
    for (const item of due) this.#running.set(item, this.#run(item));
    workRunning.set({ job: this.#round.name }, this.#running.size);
    return due.length;
  }

  async #run(item: Item): Promise<void> {
    const { name, run } = this.#round;
    try {
      await timedJob(name, () => run(this.#app, item, this.#stopping.signal));
      this.#resting.delete(item.id);
    } catch (error) {
      this.#app.log.error({ err: error, job: name, id: item.id }, 'job failed');
      const failures = (this.#resting.get(item.id)?.failures ?? 0) + 1;
      const rest = Math.min(RETRY_DELAY.first * 2 ** (failures - 1), RETRY_DELAY.longest);
      this.#resting.set(item.id, { until: performance.now() + rest, failures });
    }
    this.#running.delete(item);
    workRunning.set({ job: name }, this.#running.size);
    this.#onEnd?.();
  }

  /**
   * Waits. If more items may be due, waits only until half of the running work has ended, so that work on a silent server does not delay
   * the rest.
   */
  async #waitForWork(milliseconds: number, mayHaveMore: boolean): Promise<void> {
    const room = new AbortController();
    const half = this.#running.size / 2;
    if (mayHaveMore)
      this.#onEnd = () => {
        if (this.#running.size <= half) room.abort();
      };
    await pause(milliseconds, undefined, { signal: AbortSignal.any([room.signal, this.#stopping.signal]) }).catch(() => undefined);
    this.#onEnd = undefined;
  }
}
