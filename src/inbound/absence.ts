import { DAY } from '../core/clock.ts';
import { atLocalTime } from '../core/zone.ts';

/** Days that an absence without a day of return is taken to last. */
const DAYS_AWAY = 7;
/** Longest hold for an absence, in days: a date misread, or an absence of years, must not end a sequence in silence. */
const MAX_DAYS_AWAY = 30;

/**
 * The instant until which an absence holds an enrolment: the working day after the return, from its beginning in the campaign's
 * zone; a week from now if no day is named; 30 days from now at most.
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
