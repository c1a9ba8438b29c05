import type { Logger } from 'pino';
import { type Clock, MINUTE, SECOND } from './clock.ts';

/** Milliseconds by which the clock of this machine may differ from the database's; signed webhook messages have the same tolerance. */
const MAX_SKEW = 5 * MINUTE;

/** Compares this machine's clock with the database's. While they disagree, logs once a minute what this daemon has stopped doing. */
export class ClockCheck {
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #consequence: string;
  #loggedAt = Number.NEGATIVE_INFINITY;

  /** @param consequence what the daemon does not do meanwhile; completes a sentence that begins "this daemon" */
  constructor({ clock, log }: { clock: Clock; log: Logger }, consequence: string) {
    this.#clock = clock;
    this.#log = log;
    this.#consequence = consequence;
  }

  /** True if `now`, by the clock of this machine, is more than five minutes away from the database's time of the same moment. */
  isWrong(now: Date, databaseTime: Date): boolean {
    const skew = now.getTime() - databaseTime.getTime();
    if (this.#clock.canBeWrong !== true || Math.abs(skew) <= MAX_SKEW) return false;
    if (performance.now() - this.#loggedAt < MINUTE) return true;
    this.#loggedAt = performance.now();
    const seconds = Math.round(Math.abs(skew) / SECOND);
    const how = skew > 0 ? 'ahead of' : 'behind';
    this.#log.error(
      `the clock of this machine is ${seconds} s ${how} the database's; this daemon ${this.#consequence} until they agree: synchronise both (NTP)`,
    );
    return true;
  }
}
