import { DAY } from '../../core/clock.ts';
import { plain, SHORT_WEEKDAY_PATTERN, WEEKDAY_PATTERN } from './calendar-words.ts';
import { type NamedDate, namedDates } from './named-dates.ts';
import { COMING_BACK, UNTIL_CJK } from './phrases/coming-back.ts';
import { AFTER_DATE, TO } from './phrases/date-words.ts';
import { FILLERS, UNTIL } from './phrases/return-words.ts';

const BEFORE = new RegExp(`(?<!\\p{L})${UNTIL.pattern}[\\s:.,]*(?:${FILLERS.pattern}[\\s:.,]+){0,5}$`, 'iu');
const LONG_BEFORE = new RegExp(`(?<!\\p{L})${COMING_BACK.pattern}[^.!?\\n\\d]{0,30}$`, 'iu');
const BEFORE_CJK = new RegExp(`${UNTIL_CJK.pattern}\\s*$`, 'iu');
const AFTER = new RegExp(`^\\s*(?:\\([^)]{1,8}\\))?\\s*${AFTER_DATE.pattern}`, 'iu');
/** Between the two dates of a span; a weekday may precede the second. */
const BETWEEN = new RegExp(
  `^[\\s,.)]*${TO.pattern}[\\s,.]*(?:(?:the|zum|au|dem|den|le|el|dia|einschliesslich|\\w{5,12}day,?|\\p{L}{6,12},)\\s+){0,2}$`,
  'iu',
);
/** A span whose first day has no month: "3 – 10 May", "from 3 to 10 May". */
const SPAN_START = /\d{1,2}(\.|er|st|nd|rd|th)?\s?(-|–|—|to|bis|au|a|al|tot|t\/m|til|till|do|по|до)\s?(the )?$/u;
const WEEKDAY_BEFORE = new RegExp(
  `(?<!\\p{L})(${WEEKDAY_PATTERN}|${SHORT_WEEKDAY_PATTERN})[\\s,.]{1,3}(the |le |den |der |dem |el |il |de |di )?$`,
  'u',
);

const MAX_TEXT = 3_000;
/** No absence notice covers years. */
const MAX_DAYS = 366;

/**
 * The day on which the author of an absence notice is back, or until which they are away, as `YYYY-MM-DD`; null where the
 * notice names none or `sentAt` is unknown. Weekdays, and dates without a year, are the next ones after `sentAt`.
 */
export function returnDate(notice: string, sentAt: Date | null): string | null {
  if (sentAt === null) return null;
  const text = plain(notice.slice(0, MAX_TEXT));
  const today = Math.floor(sentAt.getTime() / DAY);
  const dates = namedDates(text, today).sort((a, b) => a.start - b.start);
  const days = dates.filter((date, index) => isReturn(text, date, dates[index - 1])).flatMap((date) => nearest(date.days, today) ?? []);
  return days.length === 0 ? null : new Date(Math.max(...days) * DAY).toISOString().slice(0, 10);
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

/** The earliest future reading; null if all are in the past or too far ahead. */
function nearest(days: readonly number[], today: number): number | null {
  const ahead = days.filter((day) => day >= today && day <= today + MAX_DAYS);
  return ahead.length === 0 ? null : Math.min(...ahead);
}
