import { DateTime, IANAZone, Settings } from 'luxon';
import { DAY, HOUR, MINUTE } from './clock.ts';

// Luxon would look up the machine's language, which takes 7 ms. The program's text is English.
Settings.defaultLocale = 'en';

/** In the years that emails are planned for, time zones change their offset only at full quarters of an hour. */
const QUARTER = 15 * MINUTE;
const MAX_CACHED_QUARTERS = 5_000;
const offsets = new Map<string, Map<number, number>>();

/**
 * The zone's UTC offset at an instant, in milliseconds. Cached per quarter of an hour, because planning looks up the same few instants and
 * zones again and again and luxon takes 10 µs each time. Throws a RangeError for an unknown zone.
 */
function offsetAt(instant: number, timezone: string): number {
  if (timezone === 'UTC') return 0;
  let known = offsets.get(timezone);
  if (known === undefined) {
    inZone(new Date(instant), timezone);
    known = new Map();
    offsets.set(timezone, known);
  }
  const quarter = Math.floor(instant / QUARTER);
  let offset = known.get(quarter);
  if (offset === undefined) {
    if (known.size >= MAX_CACHED_QUARTERS) known.clear();
    offset = IANAZone.create(timezone).offset(quarter * QUARTER) * MINUTE;
    known.set(quarter, offset);
  }
  return offset;
}

const MAX_KNOWN = 5_000;
/** UTC is preset: most commands need no other zone, and loading Node's time zones takes 7 ms. */
const known = new Map([['UTC', true]]);

/** True if the time zone database of this machine has a zone of this name. */
export function isKnownZone(timezone: string): boolean {
  let answer = known.get(timezone);
  if (answer === undefined) {
    if (known.size >= MAX_KNOWN) known.clear();
    answer = IANAZone.isValidZone(timezone);
    known.set(timezone, answer);
  }
  return answer;
}

/**
 * Returns the zone, or UTC if the time zone database of this machine no longer has it: for work that must not fail, such as recording that
 * an email was sent.
 */
export const zoneOrUtc = (timezone: string): string => (isKnownZone(timezone) ? timezone : 'UTC');

/** The calendar day of an instant in a zone, `YYYY-MM-DD`. */
export function localDay(instant: Date, timezone: string): string {
  return new Date(localTime(instant, timezone)).toISOString().slice(0, 10);
}

/** The local time in a zone, as milliseconds since 1970 in that zone's own clock. */
export function localTime(instant: Date, timezone: string): number {
  return instant.getTime() + offsetAt(instant.getTime(), timezone);
}

/** The start of the next calendar day in a zone. */
export function nextLocalDay(instant: Date, timezone: string): Date {
  return atLocalTime((Math.floor(localTime(instant, timezone) / DAY) + 1) * DAY, timezone);
}

/**
 * Returns the same local time a number of calendar days later. A local time that a clock change skips becomes the next valid one. Of a
 * repeated local time, the first is taken.
 */
export function addCalendarDays(instant: Date, days: number, timezone: string): Date {
  if (days === 0) return instant;
  return atLocalTime(localTime(instant, timezone) + days * DAY, timezone);
}

/** The instant as a luxon DateTime in a zone. Throws a RangeError for an unknown zone. */
export function inZone(instant: Date, timezone: string): DateTime<true> {
  const local = DateTime.fromJSDate(instant, { zone: timezone });
  if (!local.isValid) throw new RangeError(`unknown time zone "${timezone}"`);
  return local;
}

/** No zone changes its offset twice within this time, and none by more than a day. */
const TRANSITION_MARGIN = DAY + 2 * HOUR;

/**
 * Returns the first instant with this local time; if a clock change skips it, the instant of the change. luxon instead moves a skipped time
 * by the length of the gap and picks either instant of a repeated one.
 * @param local as `localTime` returns it
 */
export function atLocalTime(local: number, timezone: string): Date {
  const before = offsetAt(local - TRANSITION_MARGIN, timezone);
  const after = offsetAt(local + TRANSITION_MARGIN, timezone);
  const shown = [local - before, local - after].filter((instant) => instant + offsetAt(instant, timezone) === local);
  if (shown.length > 0) return new Date(Math.min(...shown));
  // Skipped: the change lies between the readings of this local time with the new and the old offset.
  let [earlier, later] = [local - after, local - before];
  while (later - earlier > 1) {
    const middle = Math.floor((earlier + later) / 2);
    if (offsetAt(middle, timezone) === before) earlier = middle;
    else later = middle;
  }
  return new Date(later);
}
