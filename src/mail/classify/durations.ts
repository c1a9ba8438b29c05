import { anyOf, plain } from './calendar-words.ts';
import { ABSENCE_SENTENCES } from './phrases/absence-sentences.ts';
import { COMING_BACK } from './phrases/coming-back.ts';
import { DURATIONS, type DurationWords, WITHOUT_WORD_BEFORE } from './phrases/durations.ts';
import { UNTIL } from './phrases/return-words.ts';

const formsOf = (list: string): string[] =>
  plain(list)
    .split(/[\s,]+/)
    .filter((word) => word !== '');
const phrasesOf = (list: string): string[] =>
  plain(list)
    .split(',')
    .map((phrase) => phrase.trim());
/** Days of each unit, by its words. */
const UNITS = [
  ['days', 1],
  ['weeks', 7],
  ['months', 30],
] as const;

/**
 * Matches "for two weeks", "in 3 days", "die nächsten 10 Tage" in one language. `numbers` maps words to numbers, `daysBy` units to their
 * days.
 */
interface Language {
  expression: RegExp;
  numbers: ReadonlyMap<string, number>;
  daysBy: ReadonlyMap<string, number>;
}

/** Built on first use, because few messages contain a duration. */
let languages: readonly Language[] | undefined;
const NAMES_UNIT = new RegExp(
  `(?<!\\p{L})(?:${anyOf(Object.values(DURATIONS).flatMap((words) => UNITS.flatMap(([unit]) => formsOf(words[unit]))))})(?!\\p{L})`,
  'u',
);

function languageOf(code: string, words: DurationWords): Language {
  const numbers = new Map(words.numbers.split(',').flatMap((forms, index) => formsOf(forms).map((word) => [word, index + 1] as const)));
  const daysBy = new Map(UNITS.flatMap(([unit, days]) => formsOf(words[unit]).map((word) => [word, days] as const)));
  const before = `(?:${anyOf(phrasesOf(words.before))})\\s{1,3}`;
  const isFree = WITHOUT_WORD_BEFORE.includes(code);
  const source = `(?<!\\p{L})(?:${before}){${isFree ? 0 : 1},3}(\\d{1,3}|${anyOf(numbers.keys())})[\\s-]{1,3}(${anyOf(daysBy.keys())})(?!\\p{L})`;
  return { expression: new RegExp(source, 'u'), numbers, daysBy };
}

const CJK = /(\d{1,3})\s?(?:(周|週間?|주|星期|个星期|個星期)|(个月|個月|か月|ヶ月|개월)|(日間|天|日|일))\s?(?:间|間|后|後|동안|내|뒤|후)/u;
const COMES_BACK = new RegExp(`(?<!\\p{L})(?:${COMING_BACK.pattern}|${UNTIL.pattern})`, 'iu');

/**
 * Returns the number of days for which the author of a notice is away, or after which they are back; null if no sentence about that has
 * one.
 * @param notice in lower case and without accents, as `plain` returns it
 * @param original the same text, unchanged
 */
export function durationDays(notice: string, original: string): number | null {
  let at = 0;
  for (const sentence of notice.split(/[.!?。\n]/)) {
    const written = original.slice(at, at + sentence.length);
    at += sentence.length + 1;
    const days = daysIn(sentence);
    if (days !== null && (COMES_BACK.test(sentence) || ABSENCE_SENTENCES.matches(written))) return days;
  }
  return null;
}

function daysIn(sentence: string): number | null {
  if (NAMES_UNIT.test(sentence)) languages ??= Object.entries(DURATIONS).map(([code, words]) => languageOf(code, words));
  for (const { expression, numbers, daysBy } of languages ?? []) {
    const [, count, unit] = expression.exec(sentence) ?? [];
    if (count !== undefined && unit !== undefined) return (numbers.get(count) ?? Number(count)) * (daysBy.get(unit) ?? 1);
  }
  const [match, count, weeks, months] = CJK.exec(sentence) ?? [];
  return match === undefined ? null : Number(count) * (weeks !== undefined ? 7 : months !== undefined ? 30 : 1);
}
