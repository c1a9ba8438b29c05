import { DAY, HOUR, MINUTE, SECOND } from '../core/clock.ts';
import type { Random } from '../core/random.ts';

/** How long after a failed attempt the next is made: ten tries over 3.1 days (Standard Webhooks, "Delivery"). */
const PAUSES = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR];

const JITTER_PERCENT = 20;
const LONGEST_RETRY_AFTER = DAY;

/**
 * How many milliseconds after its failed attempt number `attempts` a message is tried again, up to 20 % sooner or later
 * so that what failed together does not come back together; null when it was the last.
 */
export function pauseAfter(attempts: number, random: Random): number | null {
  const pause = PAUSES[attempts - 1];
  if (pause === undefined) return null;
  const percent = 100 + random.integer(-JITTER_PERCENT * 10, JITTER_PERCENT * 10) / 10;
  return Math.round((pause * percent) / 100);
}

/** What `Retry-After` asks for, in milliseconds, at most a day: seconds or a date (RFC 9110 §10.2.3). 0 for nonsense. */
export function retryAfter(header: string | undefined, now: Date): number {
  if (header === undefined) return 0;
  const milliseconds = /^\d{1,9}$/.test(header.trim()) ? Number(header) * SECOND : Date.parse(header) - now.getTime();
  return Number.isFinite(milliseconds) ? Math.min(Math.max(milliseconds, 0), LONGEST_RETRY_AFTER) : 0;
}

/**
 * How long a webhook is left alone that failed so many times in a row: not at all for the first ten, then from 5 seconds,
 * doubled every ten, up to 5 minutes. So a dead receiver with a long queue takes next to none of the daemon's time.
 */
export function restAfter(failures: number): number {
  const tens = Math.floor(failures / 10);
  return tens === 0 ? 0 : Math.min(5 * SECOND * 2 ** (tens - 1), 5 * MINUTE);
}

/** Whether a receiver counts as gone: five days without one success, and at least 20 failures in them. */
export const isGone = (failures: number, failingSince: Date | null, now: Date): boolean =>
  failures >= 20 && failingSince !== null && now.getTime() - failingSince.getTime() >= 5 * DAY;
