import { localDay, nextLocalDay, zoneOrUtc } from '../../core/zone.ts';

/** The daily limits of a campaign; null for no limit. */
export interface DayLimits {
  new_contacts_per_day: number | null;
  max_per_company_per_day: number | null;
}

/** Number of emails of a day that count against the limits. */
export interface UsedToday {
  first: number;
  /** Number of emails by domain of the recipient. */
  companies: readonly (readonly [string, number])[];
}

/**
 * The rest of the daily limits of a campaign and its rotation group, on a day in the campaign's time zone. The sender creates one for each
 * claim; the simulation keeps one and advances it to the day of each batch.
 */
export class DayLeft {
  readonly #timezone: string;
  readonly newContactsPerDay: number;
  /** Maximum number of emails a day to one company. */
  readonly perCompany: number;
  #first: number;
  /** Number of emails of the day by domain. */
  #companies: Map<string, number>;
  #day: string;
  #nextDay: Date;

  constructor({ new_contacts_per_day, max_per_company_per_day }: DayLimits, timezone: string, now: Date, used: UsedToday) {
    this.#timezone = zoneOrUtc(timezone);
    this.newContactsPerDay = new_contacts_per_day ?? Number.POSITIVE_INFINITY;
    this.perCompany = max_per_company_per_day ?? Number.POSITIVE_INFINITY;
    this.#first = used.first;
    this.#companies = new Map(used.companies);
    this.#day = localDay(now, this.#timezone);
    this.#nextDay = nextLocalDay(now, this.#timezone);
  }

  /** The day, `YYYY-MM-DD`. */
  get day(): string {
    return this.#day;
  }

  /** Start of the next day. */
  get nextDay(): Date {
    return this.#nextDay;
  }

  /** Number of first emails that may still be sent. */
  get newContacts(): number {
    return Math.max(0, this.newContactsPerDay - this.#first);
  }

  /** Advances to the day of `now`. A new day resets the counts. */
  turnTo(now: Date): void {
    if (now < this.#nextDay) return;
    this.#first = 0;
    this.#companies = new Map();
    this.#day = localDay(now, this.#timezone);
    this.#nextDay = nextLocalDay(now, this.#timezone);
  }

  /** Returns true if no more emails may be sent to the company. @param company see `companyOf` in sending/email/company.ts */
  isFull(company: string | null): boolean {
    return company !== null && (this.#companies.get(company) ?? 0) >= this.perCompany;
  }

  /** Counts an email and returns true if the limits allow it. Otherwise counts nothing and returns false. */
  admit(isFirst: boolean, company: string | null): boolean {
    if ((isFirst && this.newContacts === 0) || this.isFull(company)) return false;
    this.#count(isFirst, company, 1);
    return true;
  }

  /** Uncounts an email that was counted today but not sent. */
  giveBack(isFirst: boolean, company: string | null): void {
    this.#count(isFirst, company, -1);
  }

  #count(isFirst: boolean, company: string | null, change: 1 | -1): void {
    if (isFirst) this.#first += change;
    if (company !== null) this.#companies.set(company, (this.#companies.get(company) ?? 0) + change);
  }
}
