import type { CalendarDay } from './daily-plan.ts';
import type { UnfinishedCause } from './unfinished.ts';

export interface CalendarAccount {
  account_id: number;
  account_email: string;
  /** False for an account that may not send now: nothing is planned for it. */
  can_send: boolean;
  emails: number;
  free: number;
  days: CalendarDay[];
}

export interface CalendarSequence {
  campaign_id: number;
  name: string;
  emails: number;
  /** Contacts in the sequence, the number of them whose sequence does not end within these days, and why. */
  contacts: number;
  unfinished: number;
  causes: UnfinishedCause[];
}

/** The emails of the next days, assuming that nobody replies and nothing is changed. */
export interface Calendar {
  /** The first and the last day, `YYYY-MM-DD`. */
  from: string;
  until: string;
  emails: number;
  free: number;
  days: CalendarDay[];
  accounts: CalendarAccount[];
  campaigns: CalendarSequence[];
  /** The same in sentences, the most important first. */
  summary: string[];
}
