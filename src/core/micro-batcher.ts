export interface MicroBatcherOptions<Item, Result> {
  /**
   * Carries out one group. A result may itself be a promise, and may still be pending when the group has ended.
   * @param group at least one item, in the order in which they were added
   * @param rest the items that stay behind for a later group
   * @returns one result for each item of the group, in its order; a rejection rejects every item of the group
   */
  work(group: readonly Item[], rest: readonly Item[]): Promise<readonly (Result | PromiseLike<Result>)[]>;
  /** Milliseconds for which the oldest item waits for others. Default 0: until the event loop's turn ends. */
  linger?: number;
  /** Milliseconds that an item must have waited to join a group. Default 0. */
  minAge?: number;
  /** Puts at most one item of each key into a group. By default items have no keys. */
  onePer?(item: Item): unknown;
}

interface Waiting<Item, Result> extends PromiseWithResolvers<Result> {
  item: Item;
  /** When it was added, by `performance.now()`; -Infinity once it is flushed. */
  since: number;
}

/**
 * Groups items that arrive one at a time for work that takes many together. The oldest item starts a group after its linger; groups never
 * overlap, and all items added while one is carried out go into the next. Lingering is real time, since a queue has to empty while an
 * injected clock does not move.
 *
 * The queue is unbounded: a caller that can outrun the work must check `size`, and wait or drop items.
 *
 * Why not a library: dataloader 2.2 and TanStack Pacer 0.22 let groups overlap, p-queue 10 makes none. promise-batcher 1.1 comes nearest,
 * but it waits for a timer even if the group should start when the turn ends (1 ms before a permit of 1 ms), holds all results back until
 * the last one, and knows neither the age of an item nor the items that stay behind.
 */
export class MicroBatcher<Item, Result> {
  readonly #work: MicroBatcherOptions<Item, Result>['work'];
  readonly #onePer: MicroBatcherOptions<Item, Result>['onePer'];
  readonly #minAge: number;
  /** Milliseconds after which the oldest item starts a group. */
  readonly #delay: number;
  #waiting: Waiting<Item, Result>[] = [];
  #timer: NodeJS.Timeout | undefined;
  /** The group that is being carried out. */
  #group: Promise<void> | undefined;

  constructor({ work, linger = 0, minAge = 0, onePer }: MicroBatcherOptions<Item, Result>) {
    this.#work = work;
    this.#onePer = onePer;
    this.#minAge = minAge;
    this.#delay = Math.max(linger, minAge);
  }

  /** The number of items that wait for a group. */
  get size(): number {
    return this.#waiting.length;
  }

  /** Adds an item. Resolves to its result; rejects with its own error or that of its group. */
  add(item: Item): Promise<Result> {
    const waiting = { item, since: performance.now(), ...Promise.withResolvers<Result>() };
    this.#waiting.push(waiting);
    if (this.#waiting.length === 1 && this.#group === undefined) this.#schedule();
    return waiting.promise;
  }

  /**
   * Makes all waiting items due now, whatever their age. Resolves when their group begins: immediately, or when the current group has
   * ended.
   */
  async begin(): Promise<void> {
    for (const waiting of this.#waiting) waiting.since = Number.NEGATIVE_INFINITY;
    const current = this.#group;
    this.#start();
    await current;
  }

  /** Makes all waiting items due now. Resolves when they and the current group have ended, whether they succeeded or failed. */
  async flush(): Promise<void> {
    const flushed = this.#waiting.map(({ promise }) => promise);
    await this.begin();
    await Promise.allSettled(flushed);
  }

  #schedule(): void {
    const [oldest] = this.#waiting;
    if (oldest === undefined) return;
    const start = () => this.#start();
    if (this.#delay === 0) setImmediate(start);
    else this.#timer = setTimeout(start, Math.max(0, Math.ceil(oldest.since + this.#delay - performance.now())));
  }

  #start(): void {
    if (this.#group !== undefined) return;
    clearTimeout(this.#timer);
    const group = this.#take();
    if (group.length === 0) this.#schedule();
    else
      this.#group = this.#carryOut(group).finally(() => {
        this.#group = undefined;
        this.#start();
      });
  }

  /** Takes the next group out of the queue. It is empty if none is due yet, because a timer may fire slightly early. */
  #take(): Waiting<Item, Result>[] {
    const now = performance.now();
    const [oldest] = this.#waiting;
    if (oldest === undefined || oldest.since + this.#delay > now) return [];
    const keys = new Set<unknown>();
    const joins = ({ item, since }: Waiting<Item, Result>) => {
      if (since + this.#minAge > now) return false;
      if (this.#onePer === undefined) return true;
      const key = this.#onePer(item);
      return !keys.has(key) && keys.add(key);
    };
    const { group = [], rest = [] } = Object.groupBy(this.#waiting, (waiting) => (joins(waiting) ? 'group' : 'rest'));
    this.#waiting = rest;
    return group;
  }

  async #carryOut(group: readonly Waiting<Item, Result>[]): Promise<void> {
    const itemsOf = (all: readonly Waiting<Item, Result>[]) => all.map(({ item }) => item);
    try {
      const results = await this.#work(itemsOf(group), itemsOf(this.#waiting));
      if (results.length !== group.length) throw new Error(`${results.length} results for a group of ${group.length}`);
      for (const [index, { resolve }] of group.entries()) resolve(results[index] as Result);
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }
}
