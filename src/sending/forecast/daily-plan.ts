import { localDay } from '../../core/zone.ts';
import type { SendingAccount } from '../state/account-state.ts';

/** The emails of an account on one of its local days. */
export interface CalendarDay {
  /** `YYYY-MM-DD` in the account's time zone. */
  day: string;
  emails: number;
  /** Emails that the daily limit still allows in addition to everything planned. */
  free: number;
}

/** The emails of one account in a simulation by local day, `YYYY-MM-DD`, and the rest of its daily limits. */
export class DailyPlan {
  readonly #account: SendingAccount;
  readonly #today: string;
  readonly #all = new Map<string, number>();
  readonly #shown = new Map<string, number>();
  #fullDays: number | undefined;

  constructor(account: SendingAccount, now: Date) {
    this.#account = account;
    this.#today = localDay(now, account.timezone);
    if (account.sentToday > 0) this.#all.set(this.#today, 0);
  }

  add(day: string, isShown: boolean): void {
    increase(this.#all, day);
    if (isShown) increase(this.#shown, day);
  }

  on(day: string): CalendarDay {
    return { day, emails: this.#shown.get(day) ?? 0, free: this.#freeOn(day) };
  }

  /** The number of days on which the account reaches its daily limit. Cached on first use, so read it after the simulation. */
  get fullDays(): number {
    this.#fullDays ??= [...this.#all.keys()].filter((day) => this.#freeOn(day) === 0).length;
    return this.#fullDays;
  }

  /**
   * Returns the number of emails that it may still send on a day; 0 for past days. A ramp-up counts the days on which the account sends.
   */
  #freeOn(day: string): number {
    const { limitOn, sentToday } = this.#account;
    if (day < this.#today) return 0;
    const before = [...this.#all.keys()].filter((sent) => sent < day);
    const used = (this.#all.get(day) ?? 0) + (day === this.#today ? sentToday : 0);
    return Math.max(0, limitOn(day, before) - used);
  }
}

const increase = (counts: Map<string, number>, day: string) => counts.set(day, (counts.get(day) ?? 0) + 1);
