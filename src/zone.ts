import { DateTime } from 'luxon';

/** The calendar day of an instant in a zone, `YYYY-MM-DD`. */
export function localDay(instant: Date, timezone: string): string {
  return inZone(instant, timezone).toFormat('yyyy-MM-dd');
}

/** The instant at which the zone's next calendar day begins. */
export function nextLocalDay(instant: Date, timezone: string): Date {
  return inZone(instant, timezone).plus({ days: 1 }).startOf('day').toJSDate();
}

/**
 * The same local time that many calendar days later. A local time that a clock change skips becomes the next valid
 * one; one that it repeats counts once, the first time.
 */
export function addCalendarDays(instant: Date, days: number, timezone: string): Date {
  return inZone(instant, timezone).plus({ days }).toJSDate();
}

/** Throws a RangeError for a zone that this machine does not know. */
export function inZone(instant: Date, timezone: string): DateTime<true> {
  const local = DateTime.fromJSDate(instant, { zone: timezone });
  if (!local.isValid) throw new RangeError(`unknown time zone "${timezone}"`);
  return local;
}
