import { MINUTE, SECOND } from '../../core/clock.ts';
import type { Random } from '../../core/random.ts';

/** The settings of an account that space out the emails of a batch. */
export interface GapSettings {
  gapMinSeconds?: number;
  gapMaxSeconds?: number;
  /** Maximum number of emails that its provider accepts in a minute; null or unset without such a limit. */
  minuteLimit?: number | null;
}

/** Returns true if the account waits between two emails of a batch. */
export const hasGap = (account: GapSettings): boolean => (account.gapMaxSeconds ?? 0) > 0 || account.minuteLimit != null;

/**
 * Returns the milliseconds between two emails: random between the shortest and the longest gap, and never less than the minute limit
 * demands.
 */
export function gapBetween(account: GapSettings, random: Random): number {
  const drawn = random.integer(account.gapMinSeconds ?? 0, account.gapMaxSeconds ?? 0) * SECOND;
  return Math.max(drawn, minuteGap(account));
}

/** Returns the milliseconds between emails that are spread evenly over a minute; 0 without a limit. */
export const minuteGap = ({ minuteLimit }: GapSettings): number => (minuteLimit == null ? 0 : Math.ceil(MINUTE / minuteLimit));

/**
 * Returns the time until which the last batch, if it was of full size, may run because of the minute limit; null without a limit or a
 * batch. Until then, the next email must keep its distance from that batch.
 */
export function slowUntil(account: GapSettings & { lastBatchAt: Date | null; batchMax: number }): Date | null {
  if (account.minuteLimit == null || account.lastBatchAt === null) return null;
  return new Date(account.lastBatchAt.getTime() + account.batchMax * minuteGap(account));
}
