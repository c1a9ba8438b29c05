import { DAY } from '../../core/clock.ts';
import {
  MONTH_BY_NAME,
  MONTH_PATTERN,
  NEXT_WEEK_PATTERN,
  plain,
  TOMORROW_PATTERN,
  WEEKDAY_BY_NAME,
  WEEKDAY_PATTERN,
  WEEKDAY_SHORT,
} from './calendar-words.ts';

/** A date that a text names, where it stands, and every day it may mean. */
interface NamedDate {
  start: number;
  end: number;
  days: number[];
}

/** Words that stand before the day on which somebody is back, or until which they are away. */
const BEFORE =
  /(?<!\p{L})(until|till|thru|through|back|return\w*|resum\w+|available( again)?|bis|einschliesslich|inklusive|wieder|zuruck|ab|jusqu.?au?|inclus|retour|reprise|rentre\w*|disponible|hasta|regres\w*|vuel\w*|volver\w*|reincorpor\w*|ate|volt\w+|retorn\w+|fino|al|rientr\w+|torn\w+|tot|t\/m|met|terug|tillbaka|til|med|tilbage|tilbake|asti|saakka|palaan|do|dnia|wroce|wracam|powroc\w*|zpet|vissza|pana|до|по|вернусь|вернется|выйду|возвращаюсь|с|kadar|μεχρι|εως|return date|ruckkehr|visszater\w*|hazaerk\w*)[\s:.,]*((en|og|och|und|and|on|the|at|to|am|dem|den|der|zum|mit|einschliesslich|au|a|le|el|dia|al|il|giorno|nel|ufficio|buro|bureau|office|work|in|im|med|et|dnia|včetně|inclusive|including|and including|incl|of|my|desk|from|de|no|em|on|op|pa|pe|la|na|v|od|per|ist|is|est|es|sera|einschl|mindestens|least|kommenden|nachsten|next|coming|week|wieder|again|na|τις|την)[\s:.,]+){0,5}$/u;
/** Words that are said of coming back and of nothing else: more may stand between them and the day. */
const COMING_BACK =
  /(?<!\p{L})(back|return(ing|s)?|zuruck|ruckkehr|wieder (da|im|erreichbar)|de retour|rentrerai|reviens|reviendrai|vuelvo|volvere|regreso|regresare|reincorporo|retorno|retornarei|volto|voltarei|regressarei|rientro|rientrero|tornero|torno|terug|tillbaka|tilbage|tilbake|palaan|wracam|wroce|powrot|zpet|vratim|visszater\w*|revin|вернусь|выхожу|выйду|повернусь|επιστρεφω|donecegim|donus)[^.!?\n\d]{0,30}$/u;
/** The same in languages that leave no spaces. */
const BEFORE_CJK = /(至|到|直到|截至|回|返|戻りは|復帰は|復帰日[:：]?|返岗[:：]?|복귀(일은|는|일)?)\s*$/u;
const BETWEEN =
  /^[\s,.)]*(-|–|—|~|〜|to|bis|through|thru|until|till|au|al|a|ate|tot|t\/m|do|til|till|и|по|до|から|至|到|and)[\s,.]*((the|zum|au|dem|den|le|el|dia|einschliesslich|\w{5,12}day,?|\p{L}{6,12},)\s+){0,2}$/u;
/** Words that follow it, in languages that put them there. */
const AFTER =
  /^\s*(\([^)]{1,8}\))?\s*(まで|迄|より(出社|復帰)|に(戻|復帰|出社)|から出社|返回|回来|回來|前不在|까지|asti|saakka|'?(a|e|ya|ye|ta|te)? (tarihine )?kadar|-?(ig|ei?n|an|in)\b|(wieder )?(zuruck|da\b|back in|back at)|,? (bin|ist|sind|stehe|werde)\b.{0,20}(wieder|zuruck))/u;

const NUMBER_DATES = [
  // 2026-01-31, 2026/1/31, 2026年1月31日
  { pattern: /(20\d\d)\s?[-/.年]\s?(\d{1,2})\s?[-/.月]\s?(\d{1,2})日?/g, order: 'ymd' },
  { pattern: /(?<![\d/.-])(\d{1,2})([./-])(\d{1,2})\2(20\d\d|\d\d)(?!\d)/g, order: 'separator' },
  // German and others leave the year out: 31.1.
  { pattern: /(?<![\d/.:-])(\d{1,2})\.\s?(\d{1,2})\.(?!\d)/g, order: 'dm' },
  { pattern: /(?<![\d/.:-])(\d{1,2})\/(\d{1,2})(?![\d/:%])/g, order: 'either' },
  { pattern: /(?<!\d)(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日일号號]/g, order: 'md' },
] as const;

const DAY_MONTH = new RegExp(
  `(?<![\\d:])(\\d{1,2})(?:st|nd|rd|th|er|eme|º|ª|\\.)?\\s{0,3}(?:of |de |di |d'|\\/|-)?\\s{0,2}(${MONTH_PATTERN})\\.?(?!\\p{L})(?:,?\\s{0,3}(?:de |del |of |-|\\/)?\\s{0,2}(20\\d\\d))?`,
  'gu',
);
const MONTH_DAY = new RegExp(
  `(?<!\\p{L})(${MONTH_PATTERN})\\.?\\s{1,3}(?:the )?(\\d{1,2})(?:st|nd|rd|th)?(?![\\d:])(?:,?\\s{1,3}(20\\d\\d))?`,
  'gu',
);
const WEEKDAY = new RegExp(`(?<!\\p{L})(${WEEKDAY_PATTERN})(?!\\p{L})`, 'gu');
const WEEKDAY_BEFORE = new RegExp(
  `(?<!\\p{L})(${WEEKDAY_PATTERN}|${WEEKDAY_SHORT})[\\s,.]{1,3}(the |le |den |der |dem |el |il |de |di )?$`,
  'u',
);
const TOMORROW = new RegExp(`(?<!\\p{L})(${TOMORROW_PATTERN})(?!\\p{L})`, 'gu');

/** "until January 2027" */
const MONTH_YEAR = new RegExp(`(?<!\\p{L})(${MONTH_PATTERN})\\.?,?\\s{1,3}(?:de |del |of )?(20\\d\\d)`, 'gu');
/** "on the 20th" */
const DAY_ALONE = /(?<![\d:/.-])(\d{1,2})(?:st|nd|rd|th)(?!\p{L})/gu;
const NEXT_WEEK = new RegExp(`(?<!\\p{L})(${NEXT_WEEK_PATTERN})`, 'gu');

const MAX_TEXT = 3_000;
const MAX_DAYS = 366;

/**
 * The day on which the writer of an absence notice is back, or until which they are away, `YYYY-MM-DD`; null when the
 * notice names none. Dates without a year, and weekdays, are the next after `sentAt`; where that is not known, nothing is.
 */
export function returnDate(notice: string, sentAt: Date | null): string | null {
  if (sentAt === null) return null;
  const text = plain(notice.slice(0, MAX_TEXT));
  const today = Math.floor(sentAt.getTime() / DAY);
  const dates = namedDates(text, today).sort((a, b) => a.start - b.start);
  const days = dates
    .filter((date, index) => speaksOfReturn(text, date, dates[index - 1]))
    .flatMap((date) => nearest(date.days, today) ?? []);
  return days.length === 0 ? null : new Date(Math.max(...days) * DAY).toISOString().slice(0, 10);
}

function speaksOfReturn(text: string, date: NamedDate, previous: NamedDate | undefined): boolean {
  const words = text.slice(Math.max(0, date.start - 60), date.start);
  const before = words.replace(WEEKDAY_BEFORE, '');
  if (BEFORE.test(words) || BEFORE.test(before) || COMING_BACK.test(before) || BEFORE_CJK.test(before)) return true;
  if (AFTER.test(text.slice(date.end, date.end + 24))) return true;
  // The end of a span: "3 – 10 May", "from 3 May to 10 May".
  if (/\d{1,2}(\.|er|st|nd|rd|th)?\s?(-|–|—|to|bis|au|a|al|tot|t\/m|til|till|do|по|до)\s?(the )?$/u.test(before)) return true;
  return previous !== undefined && date.start - previous.end < 40 && BETWEEN.test(text.slice(previous.end, date.start));
}

function namedDates(text: string, today: number): NamedDate[] {
  const found: NamedDate[] = [];
  const add = (match: RegExpMatchArray & { index?: number }, days: number[]) => {
    const start = match.index ?? 0;
    const overlaps = found.some((other) => start < other.end && start + match[0].length > other.start);
    if (days.length > 0 && !overlaps) found.push({ start, end: start + match[0].length, days });
  };
  for (const { pattern, order } of NUMBER_DATES) for (const match of text.matchAll(pattern)) add(match, numberDays(match, order, today));
  for (const match of text.matchAll(DAY_MONTH))
    add(match, daysOf(match[3], MONTH_BY_NAME.get(match[2] as string), Number(match[1]), today));
  for (const match of text.matchAll(MONTH_DAY))
    add(match, daysOf(match[3], MONTH_BY_NAME.get(match[1] as string), Number(match[2]), today));
  for (const match of text.matchAll(MONTH_YEAR)) add(match, daysOf(match[2], MONTH_BY_NAME.get(match[1] as string), 1, today));
  for (const match of text.matchAll(DAY_ALONE)) add(match, daysInMonth(Number(match[1]), today));
  for (const match of text.matchAll(NEXT_WEEK)) add(match, [nextWeekday(today, MONDAY)]);
  // A weekday before a date is a part of it.
  const isPart = (match: RegExpMatchArray & { index?: number }) =>
    found.some(({ start }) => start >= (match.index ?? 0) && start - (match.index ?? 0) < match[0].length + 8);
  for (const match of text.matchAll(WEEKDAY))
    if (!isPart(match)) add(match, [nextWeekday(today, WEEKDAY_BY_NAME.get(match[1] as string) ?? 0)]);
  for (const match of text.matchAll(TOMORROW)) add(match, [today + 1]);
  return found;
}

function numberDays(match: RegExpMatchArray, order: (typeof NUMBER_DATES)[number]['order'], today: number): number[] {
  const [a, b, c] = [Number(match[1]), Number(match[2]), Number(match[3])];
  if (order === 'ymd') return daysOf(match[1], b - 1, c, today);
  if (order === 'dm') return daysOf(undefined, b - 1, a, today);
  if (order === 'md') return daysOf(undefined, a - 1, b, today);
  if (order === 'either') return [...daysOf(undefined, b - 1, a, today), ...daysOf(undefined, a - 1, b, today)];
  const year = (match[4] as string).length === 2 ? `20${match[4]}` : match[4];
  const dayFirst = daysOf(year, c - 1, a, today);
  // Only slashes are written month first, and only in some countries.
  return match[2] === '/' ? [...dayFirst, ...daysOf(year, a - 1, c, today)] : dayFirst;
}

/** The days that a date may mean, in days since 1970; without a year this one's and the next one's. */
function daysOf(year: string | undefined, month: number | undefined, day: number, today: number): number[] {
  if (month === undefined || month < 0 || month > 11 || day < 1 || day > 31) return [];
  const thisYear = new Date(today * DAY).getUTCFullYear();
  const years = year === undefined ? [thisYear, thisYear + 1] : [Number(year)];
  return years.flatMap((candidate) => {
    const instant = new Date(Date.UTC(candidate, month, day));
    return instant.getUTCDate() === day ? [Math.floor(instant.getTime() / DAY)] : [];
  });
}

/** That day of this month and of the next. */
function daysInMonth(day: number, today: number): number[] {
  const now = new Date(today * DAY);
  const months = [now.getUTCMonth(), now.getUTCMonth() + 1];
  return months.flatMap((month) => daysOf(String(now.getUTCFullYear() + Math.floor(month / 12)), month % 12, day, today));
}

const MONDAY = 1;

function nextWeekday(today: number, weekday: number): number {
  const ahead = (weekday - new Date(today * DAY).getUTCDay() + 7) % 7;
  return today + (ahead === 0 ? 7 : ahead);
}

/** Of several readings the next to come; nobody announces an absence that is over, or one of years. */
const nearest = (days: readonly number[], today: number): number | null => {
  const ahead = days.filter((day) => day >= today && day <= today + MAX_DAYS);
  return ahead.length === 0 ? null : Math.min(...ahead);
};
