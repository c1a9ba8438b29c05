import { DAY } from '../core/clock.ts';
import { atLocalTime } from '../core/zone.ts';

/** Days that an absence without a day of return is taken to last. */
const DAYS_AWAY = 7;

/** The working day after the return, from its beginning in the campaign's zone; a week from now where no day is named. */
export function holdUntil(until: string | null, now: Date, timezone: string): Date {
  if (until === null) return new Date(now.getTime() + DAYS_AWAY * DAY);
  let day = Date.parse(`${until}T00:00:00Z`) + DAY;
  while ([0, 6].includes(new Date(day).getUTCDay())) day += DAY;
  return atLocalTime(day, timezone);
}
