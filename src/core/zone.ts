import { DateTime, IANAZone } from 'luxon';
import { DAY, HOUR, MINUTE } from './clock.ts';

/** Zones change their offset on quarters of an hour only, in the years that mail is planned for. */
const QUARTER = 15 * MINUTE;
const MAX_CACHED_QUARTERS = 5_000;
const offsets = new Map<string, Map<number, number>>();

/**
 * Milliseconds to add to an instant to read the zone's clocks as if they were UTC. Kept per quarter of an hour, since
 * planning asks for the same few instants of the same few zones over and over and luxon takes 10 µs for each answer.
 * Throws a RangeError for a zone that this machine does not know.
 */
function offsetAt(instant: number, timezone: string): number {
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
const known = new Map<string, boolean>();

/** Whether this machine's zone database has a zone of that name. */
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
 * The zone itself, or UTC for one that has vanished from this machine's database: for what must go on all the same, such
 * as recording a mail that was sent.
 */
export const zoneOrUtc = (timezone: string): string => (isKnownZone(timezone) ? timezone : 'UTC');

/** The calendar day of an instant in a zone, `YYYY-MM-DD`. */
export function localDay(instant: Date, timezone: string): string {
  return new Date(localTime(instant, timezone)).toISOString().slice(0, 10);
}

/** What the zone's clocks show at an instant, in milliseconds as if it were UTC. */
export function localTime(instant: Date, timezone: string): number {
  return instant.getTime() + offsetAt(instant.getTime(), timezone);
}

/** The instant at which the zone's next calendar day begins. */
export function nextLocalDay(instant: Date, timezone: string): Date {
  return atLocalTime((Math.floor(localTime(instant, timezone) / DAY) + 1) * DAY, timezone);
}

/**
 * The same local time that many calendar days later. A local time that a clock change skips becomes the next valid
 * one; one that it repeats counts once, the first time.
 */
export function addCalendarDays(instant: Date, days: number, timezone: string): Date {
  if (days === 0) return instant;
  return atLocalTime(localTime(instant, timezone) + days * DAY, timezone);
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
export function atLocalTime(local: number, timezone: string): Date {
  const before = offsetAt(local - AROUND, timezone);
  const after = offsetAt(local + AROUND, timezone);
  const shown = [local - before, local - after].filter((instant) => instant + offsetAt(instant, timezone) === local);
  if (shown.length > 0) return new Date(Math.min(...shown));
  // Skipped: the change lies between the time read with the new offset and with the old one.
  let [earlier, later] = [local - after, local - before];
  while (later - earlier > 1) {
    const middle = Math.floor((earlier + later) / 2);
    if (offsetAt(middle, timezone) === before) earlier = middle;
    else later = middle;
  }
  return new Date(later);
}
