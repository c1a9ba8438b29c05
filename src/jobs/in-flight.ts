import { setImmediate } from 'node:timers/promises';

/** What is under way, so that a drain can wait for the last of it. */
export class InFlight {
  readonly #pending = new Set<Promise<unknown>>();

  track<Result>(work: Promise<Result>): Promise<Result> {
    this.#pending.add(work);
    const forget = () => this.#pending.delete(work);
    work.then(forget, forget);
    return work;
  }

  /** The same object with every asynchronous call of a method tracked. */
  tracked<Target extends object>(target: Target): Target {
    return new Proxy(target, {
      get: (_, name) => {
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member !== 'function') return member;
        return (...args: unknown[]) => {
          const result: unknown = member.apply(target, args);
          return result instanceof Promise ? this.track(result) : result;
        };
      },
    });
  }

  /** Resolves when nothing is under way and what followed from it is over too. */
  async settled(): Promise<void> {
    while (this.#pending.size > 0) {
      await Promise.allSettled(this.#pending);
      // One call often leads to the next; it begins in the turn after the first has ended.
      await setImmediate();
    }
  }
}
