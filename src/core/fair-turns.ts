import { tooMany } from './errors.ts';

/** Who takes a turn: a member of a group, such as an API key of a workspace. */
export interface Owner {
  readonly group: unknown;
  readonly member: unknown;
}

/** The limits of turns at once: of all together, of one group, and of one member. */
export interface MostTurns {
  readonly all: number;
  readonly group: number;
  readonly member: number;
}

interface Waiter {
  readonly arrival: number;
  readonly begin: () => void;
}

interface Member {
  readonly group: unknown;
  running: number;
  /** In the order of their arrival. */
  readonly waiting: Set<Waiter>;
}

/**
 * Shares out something scarce, such as connections, so that nobody holds all of it. A turn beyond a limit waits. The next one goes
 * to the group that holds the fewest, within it to the member that holds the fewest, and among equals to the one that came first.
 */
export class FairTurns {
  readonly #most: MostTurns;
  readonly #patience: number;
  readonly #members = new Map<unknown, Member>();
  readonly #groups = new Map<unknown, number>();
  #running = 0;
  #arrivals = 0;

  /** @param patience milliseconds after which a turn that still waits is refused */
  constructor(most: MostTurns, patience: number) {
    this.#most = most;
    this.#patience = patience;
  }

  /** Runs `work` when its turn comes. Throws `too_many_requests` if that takes too long. */
  async run<Result>(owner: Owner, work: () => Promise<Result>): Promise<Result> {
    const end = await this.take(owner);
    try {
      return await work();
    } finally {
      end();
    }
  }

  /** Waits for a turn and returns the function that ends it, to be called once. Throws as `run` does. */
  async take({ group, member }: Owner): Promise<() => void> {
    const entry = this.#members.get(member) ?? { group, running: 0, waiting: new Set<Waiter>() };
    this.#members.set(member, entry);
    if (this.#mayRun(entry)) this.#begin(entry);
    else await this.#wait(member, entry);
    return () => this.#end(member, entry);
  }

  #mayRun({ group, running }: Member): boolean {
    return running < this.#most.member && this.#held(group) < this.#most.group && this.#running < this.#most.all;
  }

  #held(group: unknown): number {
    return this.#groups.get(group) ?? 0;
  }

  #begin(entry: Member): void {
    entry.running++;
    this.#running++;
    this.#groups.set(entry.group, this.#held(entry.group) + 1);
  }

  #wait(member: unknown, entry: Member): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiter = {
        arrival: this.#arrivals++,
        begin: () => {
          clearTimeout(timer);
          entry.waiting.delete(waiter);
          this.#begin(entry);
          resolve();
        },
      };
      const timer = setTimeout(() => {
        entry.waiting.delete(waiter);
        this.#forget(member, entry);
        reject(tooMany('this key, or its workspace, already does as much as it may; try again later'));
      }, this.#patience);
      entry.waiting.add(waiter);
    });
  }

  #end(member: unknown, entry: Member): void {
    entry.running--;
    this.#running--;
    const held = this.#held(entry.group) - 1;
    if (held > 0) this.#groups.set(entry.group, held);
    else this.#groups.delete(entry.group);
    this.#forget(member, entry);
    for (let next = this.#next(); next !== undefined; next = this.#next()) next.begin();
  }

  #forget(member: unknown, entry: Member): void {
    if (entry.running === 0 && entry.waiting.size === 0) this.#members.delete(member);
  }

  #next(): Waiter | undefined {
    let best: { waiter: Waiter; rank: readonly number[] } | undefined;
    for (const entry of this.#members.values()) {
      const [waiter] = entry.waiting;
      if (waiter === undefined || !this.#mayRun(entry)) continue;
      const rank = [this.#held(entry.group), entry.running, waiter.arrival];
      if (best === undefined || isBefore(rank, best.rank)) best = { waiter, rank };
    }
    return best?.waiter;
  }
}

function isBefore(one: readonly number[], other: readonly number[]): boolean {
  const differing = one.findIndex((value, index) => value !== other[index]);
  return (one[differing] ?? 0) < (other[differing] ?? 0);
}
