import { DAY, MINUTE } from '../core/clock.ts';
import { atLocalTime, localDay, localTime, nextLocalDay, zoneOrUtc } from '../core/zone.ts';

/** Converts a time such as `08:05` to minutes after midnight. @param text `HH:MM`, from 00:00 to 23:59 */
export function minuteOf(text: string): number {
  const [hours = 0, minutes = 0] = text.split(':').map(Number);
  return hours * 60 + minutes;
}

/** Formats minutes after midnight as `HH:MM`. */
export const timeOf = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;

/** The time of day, in minutes after midnight, at which weekly reports are sent. */
export const REPORT_MINUTE = minuteOf('08:00');
const MONDAY = 1;

/** Returns the instant of this time of day on the day before `now`, in the time zone. */
export function timeOfDayBefore(now: Date, minute: number, timezone: string): Date {
  const zone = zoneOrUtc(timezone);
  const midnight = Math.floor(localTime(now, zone) / DAY) * DAY;
  return atLocalTime(midnight - DAY + minute * MINUTE, zone);
}

/** Returns the first instant after `now` that is a Monday at 8:00 in the time zone. */
export function nextMonday(now: Date, timezone: string): Date {
  const zone = zoneOrUtc(timezone);
  const midnight = Math.floor(localTime(now, zone) / DAY) * DAY;
  const ahead = (MONDAY + 7 - new Date(midnight).getUTCDay()) % 7;
  const monday = atLocalTime(midnight + ahead * DAY + REPORT_MINUTE * MINUTE, zone);
  return monday > now ? monday : atLocalTime(midnight + (ahead + 7) * DAY + REPORT_MINUTE * MINUTE, zone);
}

/**
 * Returns the first instant after `now` at this time of day in the time zone. If a clock change skips the time, returns the instant of the
 * change; if it repeats the time, returns the first occurrence.
 * @param latest time of the latest summary; its day gets no second one
 */
export function nextTime(now: Date, minute: number, timezone: string, latest: Date | null = null): Date {
  const zone = zoneOrUtc(timezone);
  const wasToday = latest !== null && localDay(latest, zone) >= localDay(now, zone);
  const from = wasToday ? nextLocalDay(latest, zone) : now;
  const midnight = Math.floor(localTime(from, zone) / DAY) * DAY;
  const today = atLocalTime(midnight + minute * MINUTE, zone);
  return today > now && today >= from ? today : atLocalTime(midnight + DAY + minute * MINUTE, zone);
}
