import { DAY, HOUR, MINUTE, SECOND } from '../core/clock.ts';
import type { Random } from '../core/random.ts';

/** Delays between attempts of one delivery: ten attempts over 3.1 days (Standard Webhooks, "Delivery"). */
const RETRY_DELAYS = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR];

const JITTER_PERCENT = 20;
const MAX_RETRY_AFTER = DAY;

/**
 * Returns the delay in milliseconds before the attempt that follows number `attempts`, with a jitter of ±20 % so that messages that failed
 * together are not retried together; null after the last attempt.
 */
export function pauseAfter(attempts: number, random: Random): number | null {
  const pause = RETRY_DELAYS[attempts - 1];
  if (pause === undefined) return null;
  const percent = 100 + random.integer(-JITTER_PERCENT * 10, JITTER_PERCENT * 10) / 10;
  return Math.round((pause * percent) / 100);
}

/** Returns the delay in milliseconds that `Retry-After` requests, as seconds or a date (RFC 9110 §10.2.3): a day at most, 0 if invalid. */
export function retryAfter(header: string | undefined, now: Date): number {
  if (header === undefined) return 0;
  const milliseconds = /^\d{1,9}$/.test(header.trim()) ? Number(header) * SECOND : Date.parse(header) - now.getTime();
  return Number.isFinite(milliseconds) ? Math.min(Math.max(milliseconds, 0), MAX_RETRY_AFTER) : 0;
}

/**
 * Returns the pause in milliseconds of a webhook after consecutive failures: none below ten, then 5 seconds, doubled with every ten, up to
 * 5 minutes. It keeps a dead receiver with a long queue from taking up the daemon's time.
 */
export function restAfter(failures: number): number {
  const tens = Math.floor(failures / 10);
  return tens === 0 ? 0 : Math.min(5 * SECOND * 2 ** (tens - 1), 5 * MINUTE);
}

/** True for a receiver with at least 20 consecutive failures over five days or more; its webhook is disabled. */
export const isGone = (failures: number, failingSince: Date | null, now: Date): boolean =>
  failures >= 20 && failingSince !== null && now.getTime() - failingSince.getTime() >= 5 * DAY;
