import { DAY } from '../core/clock.ts';
import { atLocalTime } from '../core/zone.ts';

/** Assumed length, in days, of an absence without a return date. */
const DAYS_AWAY = 7;
/** Longest hold for an absence, in days. A misread date or an absence of years must not silently end a sequence. */
const MAX_DAYS_AWAY = 30;

/**
 * Returns the instant until which an absence holds an enrolment: the start, in the campaign's time zone, of the working day after the
 * return; a week from now without a return date; 30 days from now at most.
 */
export function holdUntil(until: string | null, now: Date, timezone: string): Date {
  const inDays = (days: number) => new Date(now.getTime() + days * DAY);
  if (until === null) return inDays(DAYS_AWAY);
  let day = Date.parse(`${until}T00:00:00Z`) + DAY;
  while ([0, 6].includes(new Date(day).getUTCDay())) day += DAY;
  const back = atLocalTime(day, timezone);
  const latest = inDays(MAX_DAYS_AWAY);
  return back < latest ? back : latest;
}
