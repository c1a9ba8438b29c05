import { setImmediate } from 'node:timers/promises';

/** Tracks pending promises, so that a drain can wait for all of them. */
export class InFlight {
  readonly #pending = new Set<Promise<unknown>>();

  track<Result>(work: Promise<Result>): Promise<Result> {
    this.#pending.add(work);
    const forget = () => this.#pending.delete(work);
    work.then(forget, forget);
    return work;
  }

  /** Wraps an object in a proxy that tracks the promises its methods return. */
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

  /** Resolves when no promise is pending, including those that tracked ones have led to. */
  async settled(): Promise<void> {
    while (this.#pending.size > 0) {
      await Promise.allSettled(this.#pending);
      // One call often leads to another, which starts in the turn after the first has ended.
      await setImmediate();
    }
  }
}
