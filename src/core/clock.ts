/** The source of the time. Injected, so that tests and the demo can set it. */
export interface Clock {
  now(): Date;
  /** True for a machine's clock, which may be wrong. A manual clock is right by definition. */
  readonly canBeWrong?: boolean;
}

// biome-ignore lint/plugin: the only place that asks the machine for the time
export const systemClock: Clock = { now: () => new Date(), canBeWrong: true };

/** A clock that shows the same time until it is set. */
export class ManualClock implements Clock {
  #now: number;

  constructor(start: Date | string) {
    this.#now = new Date(start).getTime();
  }

  now(): Date {
    return new Date(this.#now);
  }

  /** Sets the time, forward or back. */
  set(instant: Date | string): void {
    this.#now = new Date(instant).getTime();
  }

  /** Moves the time forward by this many milliseconds. */
  advance(milliseconds: number): void {
    this.#now += milliseconds;
  }
}

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
