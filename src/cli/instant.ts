import { DAY, HOUR, MINUTE } from '../core/clock.ts';
import { invalid } from '../core/errors.ts';
import { addCalendarDays, atLocalTime, inZone, localDay, localTime } from '../core/zone.ts';

/** The zone and the moment to which a time in a flag is relative. */
export interface TimeFrame {
  /** The zone of times that name none. */
  timezone: string;
  now: Date;
  /** The direction of `7d` and `monday`: `past` for what has happened, `future` for what is planned. */
  towards: 'past' | 'future';
}

/** Examples for the description and the error of a flag that takes a time: a planned one, and one in the past. */
export const TIMES = 'such as 2026-01-31, "2026-01-31 09:00", 7d, "tomorrow 9:00" or monday';
export const PAST_TIMES = TIMES.replace('tomorrow', 'yesterday');

const RELATIVE = /^(\d{1,4}) ?(m|h|d|w)$/i;
const WEEKDAYS = 'mon(?:day)?|tue(?:sday)?|wed(?:nesday)?|thu(?:rsday)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?';
const WORDS = new RegExp(`^(?:(now)|(today|tomorrow|yesterday|${WEEKDAYS})(?: (?:at )?(\\d{1,2}):(\\d\\d))?|(\\d{1,2}):(\\d\\d))$`, 'i');
const LOCAL = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d)?)?$/i;
/** RFC 3339 §5.6, with a zone. */
const ZONED = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/i;
const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

/**
 * Parses the time in a flag, and returns it as RFC 3339 for the API. Accepts a date, which means its midnight, and a date with a time, in
 * the zone of the frame unless they name one; `7d`, `6h`, `30m`, `2w`; `today`, `tomorrow`, `yesterday`, a day of the week and a time of day. Throws
 * `invalid_request` naming the flag.
 */
export function instantText(text: string, flag: string, frame: TimeFrame): string {
  const instant = instantOf(text.trim(), frame);
  if (instant === undefined || Number.isNaN(instant.getTime()))
    throw invalid(`${flag}: must be a time ${frame.towards === 'past' ? PAST_TIMES : TIMES}, not "${text}"`);
  return instant.toISOString();
}

/** Parses the day in a flag as `instantText` does, and returns it as `YYYY-MM-DD`; a time with a zone of its own is left to the API. */
export function dayText(text: string, flag: string, frame: TimeFrame): string {
  const instant = instantText(text, flag, frame);
  return ZONED.test(text.trim()) ? instant : localDay(new Date(instant), frame.timezone);
}

function instantOf(text: string, { timezone, now, towards }: TimeFrame): Date | undefined {
  if (ZONED.test(text)) return new Date(text.replace(' ', 'T'));
  const [, date, time = '00:00', seconds = ':00'] = LOCAL.exec(text) ?? [];
  if (date !== undefined) return atDate(`${date}T${time}${seconds}Z`, date, timezone);
  const sign = towards === 'past' ? -1 : 1;
  const [, count, unit = ''] = RELATIVE.exec(text) ?? [];
  if (count !== undefined) return after(now, sign * Number(count), unit.toLowerCase(), timezone);
  const [, isNow, word, ...clock] = WORDS.exec(text) ?? [];
  if (isNow !== undefined) return now;
  const [hour, minute] = (clock[0] === undefined ? clock.slice(2) : clock).map((part) => (part === undefined ? undefined : Number(part)));
  if (word === undefined && hour === undefined) return undefined;
  if ((hour ?? 0) > 23 || (minute ?? 0) > 59) return undefined;
  const offset = (hour ?? 0) * HOUR + (minute ?? 0) * MINUTE;
  const today = Math.floor(localTime(now, timezone) / DAY) * DAY;
  const at = (day: number) => atLocalTime(today + day * DAY + offset, timezone);
  return at(dayOf(word?.toLowerCase(), inZone(now, timezone).weekday - 1, towards, (day) => at(day) > now));
}

/** Returns the instant of a calendar date and time of day in a zone; an invalid date for 30 February. */
function atDate(utc: string, date: string, timezone: string): Date {
  const local = new Date(utc);
  const isReal = !Number.isNaN(local.getTime()) && local.toISOString().startsWith(date);
  return isReal ? atLocalTime(local.getTime(), timezone) : new Date(Number.NaN);
}

function after(now: Date, count: number, unit: string, timezone: string): Date {
  if (unit === 'd' || unit === 'w') return addCalendarDays(now, count * (unit === 'w' ? 7 : 1), timezone);
  return new Date(now.getTime() + count * (unit === 'h' ? HOUR : MINUTE));
}

/**
 * Returns the number of days from today to the day that a word names. A day of the week, or a time alone, means the nearest one that has
 * passed or is still to come.
 */
function dayOf(word: string | undefined, today: number, towards: TimeFrame['towards'], isToCome: (day: number) => boolean): number {
  if (word === 'today') return 0;
  if (word === 'tomorrow') return 1;
  if (word === 'yesterday') return -1;
  const period = word === undefined ? 1 : 7;
  const next = word === undefined ? 0 : (DAYS.indexOf(word.slice(0, 3)) - today + 7) % 7;
  if (towards === 'future') return isToCome(next) ? next : next + period;
  return isToCome(next) ? next - period : next;
}
