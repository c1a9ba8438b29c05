import { DAY } from '../../core/clock.ts';
import { allMatches } from './all-matches.ts';
import { MONTH_BY_NAME, MONTH_PATTERN, TOMORROW_PATTERN, WEEKDAY_BY_NAME, WEEKDAY_PATTERN } from './calendar-words.ts';
import { NEXT_WEEK } from './phrases/date-words.ts';

/** A date in a text. */
export interface NamedDate {
  /** Index of its first character. */
  start: number;
  /** Index after its last character. */
  end: number;
  /**
   * The possible readings: 10/11 is a day of November or of October. Each reading lists the possible days, in days since 1970-01-01.
   * Without a year they are the day of this year and that of the next one.
   */
  readings: number[][];
  /** True for two numbers with a slash. The first reading then has the day first, the second one the month; either may be empty. */
  isSlashed: boolean;
}

const NUMBER_DATES = [
  // 2026-01-31, 2026/1/31, 2026年1月31日
  { pattern: /(20\d\d)\s?[-/.年]\s?(\d{1,2})\s?[-/.月]\s?(\d{1,2})日?/g, order: 'ymd' },
  { pattern: /(?<![\d/.])(?<!\d-)(\d{1,2})([./-])\s?(\d{1,2})\2\s?(20\d\d|\d\d)(?!\d)/g, order: 'separator' },
  // German and other languages leave the year out: 31.1.
  { pattern: /(?<![\d/.:])(?<!\d-)(\d{1,2})\.\s?(\d{1,2})\.(?!\d)/g, order: 'dm' },
  { pattern: /(?<![\d/.:-])(\d{1,2})\/(\d{1,2})(?![\d/:%])/g, order: 'either' },
  { pattern: /(?<!\d)(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日일号號]/g, order: 'md' },
] as const;

const DAY_MONTH = new RegExp(
  `(?<![\\d:])(\\d{1,2})(?:st|nd|rd|th|er|eme|º|ª|-го|-e|\\.)?\\s{0,3}(?:of |de |di |d'|\\/|-|ב)?\\s{0,2}(${MONTH_PATTERN})\\.?(?!\\p{L})(?:,?\\s{0,3}(?:de |del |of |-|\\/)?\\s{0,2}(20\\d\\d))?`,
  'gu',
);
const MONTH_DAY = new RegExp(
  `(?<!\\p{L})(${MONTH_PATTERN})\\.?\\s{1,3}(?:the |d\\. )?(\\d{1,2})(?:st|nd|rd|th)?(?![\\d:])(?:,?\\s{1,3}(20\\d\\d))?`,
  'gu',
);
/** "until January 2027" */
const MONTH_YEAR = new RegExp(`(?<!\\p{L})(${MONTH_PATTERN})\\.?,?\\s{1,3}(?:de |del |of )?(20\\d\\d)`, 'gu');
/** "on the 20th", "el día 20", "bis zum 20.", "le 20": a number alone counts as a day only with a word or a suffix that marks it as one. */
const DAY_ALONE = new RegExp(
  '(?<![\\d:/.-])(?<!\\p{L})(?:(\\d{1,2})(?:st|nd|rd|th)(?!\\p{L})' +
    '|(?:dia|le|il|den|am|zum|dem|the|op|el|dnia|ngay|в|la|pe) (\\d{1,2})(?:\\.(?!\\d)|(?![\\d.:/%-])' +
    '(?!\\s?(?:\\p{L}{0,2}\\d|uhr|h\\b|am\\b|pm\\b|%|jahre|dias?\\b|days?\\b|jours?\\b|giorni\\b|personas?\\b))))',
  'gu',
);
const IN_A_WEEK = new RegExp(`(?<!\\p{L})${NEXT_WEEK.pattern}`, 'giu');
const WEEKDAY = new RegExp(`(?<!\\p{L})(${WEEKDAY_PATTERN})(?!\\p{L})`, 'gu');
const TOMORROW = new RegExp(`(?<!\\p{L})(${TOMORROW_PATTERN})(?!\\p{L})`, 'gu');

const MONDAY = 1;

/**
 * Returns every date in a text without accents (see `plain`), in no particular order and without overlaps.
 * @param today in days since 1970-01-01; dates without a year are in this year or the next
 */
export function namedDates(text: string, today: number): NamedDate[] {
  const found: NamedDate[] = [];
  const add = (match: RegExpExecArray, readings: number[][], isSlashed = false) => {
    const [start, end] = [match.index, match.index + match[0].length];
    const overlaps = found.some((other) => start < other.end && end > other.start);
    if (readings.some((days) => days.length > 0) && !overlaps) found.push({ start, end, readings, isSlashed });
  };
  // Each kind of date takes a pass over the text. A text without digits has none of the following kinds.
  const numbered = /\d/.test(text) ? text : '';
  for (const { pattern, order } of NUMBER_DATES)
    for (const match of allMatches(pattern, numbered)) add(match, numberDays(match, order, today), order === 'either' || match[2] === '/');
  for (const match of allMatches(DAY_MONTH, numbered)) add(match, [daysOf(match[3], monthOf(match[2]), Number(match[1]), today)]);
  for (const match of allMatches(MONTH_DAY, numbered)) add(match, [daysOf(match[3], monthOf(match[1]), Number(match[2]), today)]);
  for (const match of allMatches(MONTH_YEAR, numbered)) add(match, [daysOf(match[2], monthOf(match[1]), 1, today)]);
  for (const match of allMatches(DAY_ALONE, numbered)) add(match, [daysInMonth(Number(match[1] ?? match[2]), today)]);
  for (const match of allMatches(IN_A_WEEK, text)) add(match, [[nextWeekday(today, MONDAY)]]);
  // A weekday right before a date is part of it.
  const isPart = ({ index, 0: name }: RegExpExecArray) => found.some(({ start }) => start >= index && start - index < name.length + 8);
  for (const match of allMatches(WEEKDAY, text))
    if (!isPart(match)) add(match, [[nextWeekday(today, WEEKDAY_BY_NAME.get(match[1] as string) ?? 0)]]);
  for (const match of allMatches(TOMORROW, text)) add(match, [[today + 1]]);
  return found;
}

const monthOf = (name: string | undefined) => MONTH_BY_NAME.get(name ?? '');

function numberDays(match: RegExpExecArray, order: (typeof NUMBER_DATES)[number]['order'], today: number): number[][] {
  const [a, b, c] = [Number(match[1]), Number(match[2]), Number(match[3])];
  if (order === 'ymd') return [daysOf(match[1], b - 1, c, today)];
  if (order === 'dm') return [daysOf(undefined, b - 1, a, today)];
  if (order === 'md') return [daysOf(undefined, a - 1, b, today)];
  if (order === 'either') return [daysOf(undefined, b - 1, a, today), daysOf(undefined, a - 1, b, today)];
  const year = (match[4] as string).length === 2 ? `20${match[4]}` : match[4];
  const dayFirst = daysOf(year, c - 1, a, today);
  // The month comes first only with slashes, and only in some countries.
  return match[2] === '/' ? [dayFirst, daysOf(year, a - 1, c, today)] : [dayFirst];
}

/**
 * Returns the days that a date may mean: without a year, the day of this year and that of the next one. Empty for a date that does not
 * exist.
 */
function daysOf(year: string | undefined, month: number | undefined, day: number, today: number): number[] {
  if (month === undefined || month < 0 || month > 11 || day < 1 || day > 31) return [];
  const thisYear = new Date(today * DAY).getUTCFullYear();
  const years = year === undefined ? [thisYear, thisYear + 1] : [Number(year)];
  return years.flatMap((candidate) => {
    const instant = new Date(Date.UTC(candidate, month, day));
    return instant.getUTCDate() === day ? [Math.floor(instant.getTime() / DAY)] : [];
  });
}

/** Returns that day of this month and of the next one. */
function daysInMonth(day: number, today: number): number[] {
  const now = new Date(today * DAY);
  const months = [now.getUTCMonth(), now.getUTCMonth() + 1];
  return months.flatMap((month) => daysOf(String(now.getUTCFullYear() + Math.floor(month / 12)), month % 12, day, today));
}

function nextWeekday(today: number, weekday: number): number {
  const ahead = (weekday - new Date(today * DAY).getUTCDay() + 7) % 7;
  return today + (ahead === 0 ? 7 : ahead);
}
