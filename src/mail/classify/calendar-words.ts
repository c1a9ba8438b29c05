import { Buffer } from 'node:buffer';
import { CALENDARS, type Calendar } from './phrases/calendars.ts';

/** Letters whose plain form is not the first code point of their decomposition. й is a separate letter, not an accented и. */
const SPECIAL: Readonly<Record<string, string>> = { й: 'й', ł: 'l', ı: 'i', ø: 'o', ß: 's' };
/** Code points above this are in scripts without accents. */
const LAST_ACCENTED = 0x1fff;
const FIRST_HANGUL = 0x1100;

/**
 * Returns a text in lower case without accents, like the words in the tables. Its length stays the same, so that an index is valid in both
 * texts.
 */
export function plain(text: string): string {
  if (Buffer.byteLength(text) === text.length) return text.toLowerCase();
  let result = '';
  for (const character of text.toLowerCase()) {
    const code = character.codePointAt(0) ?? 0;
    const hasAccent = code > 0x7f && code <= LAST_ACCENTED && (code < FIRST_HANGUL || code > 0x11ff);
    const base = SPECIAL[character] ?? (hasAccent ? character.normalize('NFD').charAt(0) : character);
    result += base.padEnd(character.length, ' ');
  }
  return result;
}

const words = (text = ''): string[] =>
  plain(text)
    .split(/\s+/)
    .filter((word) => word !== '');

const indexByName = (names: (calendar: Calendar) => string | undefined) =>
  new Map(
    Object.values(CALENDARS).flatMap((calendar) =>
      (names(calendar) ?? '').split(',').flatMap((forms, index) => words(forms).map((name) => [name, index] as const)),
    ),
  );

/** 0 for January. */
export const MONTH_BY_NAME: ReadonlyMap<string, number> = indexByName(({ months }) => months);
/** 0 for Sunday. */
export const WEEKDAY_BY_NAME: ReadonlyMap<string, number> = indexByName(({ weekdays }) => weekdays);

/** Returns the source of a regular expression that matches one of the words. Longer words come first: "septembre" before "sept". */
export const anyOf = (list: Iterable<string>) => [...new Set(list)].sort((a, b) => b.length - a.length).join('|');

export const MONTH_PATTERN = anyOf(MONTH_BY_NAME.keys());
export const WEEKDAY_PATTERN = anyOf(WEEKDAY_BY_NAME.keys());
export const SHORT_WEEKDAY_PATTERN = anyOf(Object.values(CALENDARS).flatMap(({ short }) => words(short)));
export const TOMORROW_PATTERN = anyOf(Object.values(CALENDARS).flatMap(({ tomorrow }) => words(tomorrow)));
