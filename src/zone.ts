import { DateTime } from 'luxon';
import { DAY, HOUR, MINUTE } from './clock.ts';

/** The calendar day of an instant in a zone, `YYYY-MM-DD`. */
export function localDay(instant: Date, timezone: string): string {
  return inZone(instant, timezone).toFormat('yyyy-MM-dd');
}

/** The instant at which the zone's next calendar day begins. */
export function nextLocalDay(instant: Date, timezone: string): Date {
  const local = inZone(instant, timezone);
  return atLocalTime(Date.UTC(local.year, local.month - 1, local.day + 1), timezone);
}

/**
 * The same local time that many calendar days later. A local time that a clock change skips becomes the next valid
 * one; one that it repeats counts once, the first time.
 */
export function addCalendarDays(instant: Date, days: number, timezone: string): Date {
  if (days === 0) return instant;
  return atLocalTime(instant.getTime() + inZone(instant, timezone).offset * MINUTE + days * DAY, timezone);
}

/** The instant at which a zone's local day has reached that hour (0 to 24), by the rules of `addCalendarDays`. */
export function atLocalHour(day: DateTime<true>, hour: number): Date {
  return atLocalTime(Date.UTC(day.year, day.month - 1, day.day, hour), day.zoneName);
}

/** Throws a RangeError for a zone that this machine does not know. */
export function inZone(instant: Date, timezone: string): DateTime<true> {
  const local = DateTime.fromJSDate(instant, { zone: timezone });
  if (!local.isValid) throw new RangeError(`unknown time zone "${timezone}"`);
  return local;
}

/** No zone changes its offset twice within this time around an instant, and none by more than a day. */
const AROUND = DAY + 2 * HOUR;

/**
 * The first instant at which the zone's clocks show that local time; where they skip it, the instant at which they go
 * on. luxon would move a skipped time by the length of the gap and pick either of a repeated one.
 * @param local milliseconds as if the local time were UTC
 */
function atLocalTime(local: number, timezone: string): Date {
  const offsetAt = (instant: number) => inZone(new Date(instant), timezone).offset * MINUTE;
  const before = offsetAt(local - AROUND);
  const after = offsetAt(local + AROUND);
  const shown = [local - before, local - after].filter((instant) => instant + offsetAt(instant) === local);
  if (shown.length > 0) return new Date(Math.min(...shown));
  // Skipped: the change lies between the time read with the new offset and with the old one.
  let [earlier, later] = [local - after, local - before];
  while (later - earlier > 1) {
    const middle = Math.floor((earlier + later) / 2);
    if (offsetAt(middle) === before) earlier = middle;
    else later = middle;
  }
  return new Date(later);
}
