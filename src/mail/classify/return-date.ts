import { DAY } from '../../core/clock.ts';
import { plain, SHORT_WEEKDAY_PATTERN, WEEKDAY_BY_NAME, WEEKDAY_PATTERN } from './calendar-words.ts';
import { durationDays } from './durations.ts';
import { type NamedDate, namedDates } from './named-dates.ts';
import { COMING_BACK, UNTIL_CJK } from './phrases/coming-back.ts';
import { AFTER_DATE, INCLUSIVE, INCLUSIVE_AFTER, TO } from './phrases/date-words.ts';
import { FILLERS, UNTIL } from './phrases/return-words.ts';

const BEFORE = new RegExp(`(?<!\\p{L})${UNTIL.pattern}[\\s:.,]*(?:${FILLERS.pattern}[\\s:.,]+){0,5}(?:[הב]-)?$`, 'iu');
const LONG_BEFORE = new RegExp(`(?<!\\p{L})${COMING_BACK.pattern}[^.!?\\n\\d]{0,30}$`, 'iu');
const BEFORE_CJK = new RegExp(`${UNTIL_CJK.pattern}\\s*$`, 'iu');
const AFTER = new RegExp(`^\\s*(?:\\([^)]{1,8}\\))?\\s*${AFTER_DATE.pattern}`, 'iu');
/** "Through Friday", "jusqu'au 15 inclus": the last day of the absence, so the author is back the day after. */
const INCLUSIVE_BEFORE = new RegExp(`(?<!\\p{L})${INCLUSIVE.pattern}[\\s:.,]*(?:${FILLERS.pattern}[\\s:.,]+){0,3}$`, 'iu');
const INCLUSIVE_BEHIND = new RegExp(`^[\\s,(]{0,3}${INCLUSIVE_AFTER.pattern}(?!\\p{L})`, 'iu');
/** The words between the two dates of a span. A weekday may precede the second date. */
const BETWEEN = new RegExp(
  `^[\\s,.)]*${TO.pattern}[\\s,.]*(?:(?:the|zum|au|dem|den|le|el|dia|einschliess?lich|\\w{5,12}day,?|\\p{L}{6,12},)\\s+){0,2}$`,
  'iu',
);
/** A span whose first day has no month: "3 – 10 May", "from 3 to 10 May". */
const SPAN_START = /\d{1,2}(\.|er|st|nd|rd|th)?\s?(-|–|—|to|bis|au|a|al|tot|t\/m|til|till|do|по|до)\s?(the )?$/u;
const WEEKDAY_BEFORE = new RegExp(
  `(?<!\\p{L})(${WEEKDAY_PATTERN}|${SHORT_WEEKDAY_PATTERN})[\\s,.]{1,3}(the |le |den |der |dem |el |il |de |di )?$`,
  'u',
);

const MAX_TEXT = 3_000;
/** A date without a year is at most this many days ahead. */
const MAX_DAYS = 366;
/** A longer absence is a typo. */
const MAX_YEARS = 5;
/** If a date has several readings, those up to this many days ahead take precedence. */
const MAX_PLAUSIBLE_DAYS = 92;
/** If the weekday next to a date is at most this many days later than the date, the weekday decides. */
const MAX_WEEKDAY_LEAD = 3;

/**
 * Returns the day on which the author of an absence notice is back, or until which they are away, as `YYYY-MM-DD`; null if the notice names
 * none or `sentAt` is unknown. Weekdays and dates without a year are the next ones after `sentAt`. If a date has several readings, the
 * weekday next to it decides, then the other dates of the notice, then the later reading: an email that comes too early disturbs, one that
 * comes too late does not.
 */
export function returnDate(notice: string, sentAt: Date | null): string | null {
  if (sentAt === null) return null;
  const text = plain(notice.slice(0, MAX_TEXT));
  const today = Math.floor(sentAt.getTime() / DAY);
  const dates = namedDates(text, today).sort((a, b) => a.start - b.start);
  const order = slashOrder(dates, today);
  const days = dates
    .filter((date, index) => isReturn(text, date, dates[index - 1]))
    .flatMap((date) => {
      const day = dayOf(text, date, order, today);
      return day === null ? [] : [day + (isInclusive(text, date) ? 1 : 0)];
    });
  const chosen = days.length > 0 ? Math.max(...days) : today + (durationDays(text, notice) ?? Number.NaN);
  return Number.isNaN(chosen) ? null : new Date(chosen * DAY).toISOString().slice(0, 10);
}

/** True if the words around a date say that someone is back then, or away until then. */
function isReturn(text: string, date: NamedDate, previous: NamedDate | undefined): boolean {
  const words = text.slice(Math.max(0, date.start - 60), date.start);
  const before = words.replace(WEEKDAY_BEFORE, '');
  if (BEFORE.test(words) || BEFORE.test(before) || LONG_BEFORE.test(before) || BEFORE_CJK.test(before)) return true;
  if (AFTER.test(text.slice(date.end, date.end + 24))) return true;
  if (SPAN_START.test(before)) return true;
  return previous !== undefined && date.start - previous.end < 40 && BETWEEN.test(text.slice(previous.end, date.start));
}

function isInclusive(text: string, date: NamedDate): boolean {
  const before = text.slice(Math.max(0, date.start - 60), date.start);
  if (INCLUSIVE_BEFORE.test(before) || INCLUSIVE_BEFORE.test(before.replace(WEEKDAY_BEFORE, ''))) return true;
  return INCLUSIVE_BEHIND.test(text.slice(date.end, date.end + 24));
}

/** Returns 0 if the other dates with slashes have the day first, 1 if they have the month first; null if they don't show it. */
function slashOrder(dates: readonly NamedDate[], today: number): 0 | 1 | null {
  const slashed = dates.filter(({ isSlashed, readings }) => isSlashed && readings.length === 2);
  for (const [first, second] of slashed.map(({ readings }) => readings)) {
    if (first?.length === 0) return 1;
    if (second?.length === 0) return 0;
  }
  // An absence begins at about the time of its notice.
  const [start] = slashed;
  if (start === undefined || slashed.length < 2) return null;
  const distance = (days: readonly number[] = []) => Math.min(...days.map((day) => Math.abs(day - today)));
  return distance(start.readings[0]) <= distance(start.readings[1]) ? 0 : 1;
}

/** Returns the day that a date means; null if every reading is in the past or too far ahead. */
function dayOf(text: string, { start, readings, isSlashed }: NamedDate, order: 0 | 1 | null, today: number): number | null {
  const name = WEEKDAY_BEFORE.exec(text.slice(Math.max(0, start - 40), start))?.[1];
  const weekday = name === undefined ? undefined : WEEKDAY_BY_NAME.get(name);
  const candidates = isSlashed && order !== null ? [readings[order] ?? []] : readings;
  const days = candidates.flatMap((reading) => nearest(reading, today) ?? []);
  if (days.length === 0) return null;
  if (weekday === undefined) return latestOf(days, today);
  const right = days.filter((day) => weekdayOf(day) === weekday);
  if (right.length > 0) return latestOf(right, today);
  // Either the weekday or the date is a typo.
  const latest = latestOf(days, today);
  const ahead = (weekday - weekdayOf(latest) + 7) % 7;
  return ahead <= MAX_WEEKDAY_LEAD ? latest + ahead : latest;
}

function latestOf(days: readonly number[], today: number): number {
  const plausible = days.filter((day) => day <= today + MAX_PLAUSIBLE_DAYS);
  return Math.max(...(plausible.length === 0 ? days : plausible));
}

const weekdayOf = (day: number) => new Date(day * DAY).getUTCDay();

/** Returns the earliest day of a reading that is not in the past; null if all are past or too far ahead. */
function nearest(days: readonly number[], today: number): number | null {
  const most = days.length > 1 ? MAX_DAYS : MAX_DAYS * MAX_YEARS;
  const ahead = days.filter((day) => day >= today && day <= today + most);
  return ahead.length === 0 ? null : Math.min(...ahead);
}
