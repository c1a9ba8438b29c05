import { LEXICONS } from './lexicons/languages.ts';

/** One of several beginnings: "(?:leave|let) me alone". */
const BEGINNINGS = /^\(\?:([^()]+)\)(?![?*+])(.*)$/;
/** A letter that is always there. */
const FIXED_LETTER = /^\p{L}(?![?*+])/u;

/** An idiom with each of its beginnings. */
function written(source: string): string[] {
  const [, options, rest = ''] = BEGINNINGS.exec(source) ?? [];
  return options === undefined ? [source] : options.split('|').map((option) => option + rest);
}

/**
 * "Leave me alone" in every language, with the space before it. V8 tries one option after the other before each word, so idioms with
 * the same first letter are one option: 330 characters take 0.8 µs instead of 3.
 */
function anyIdiom(): RegExp {
  const sources = LEXICONS.flatMap(({ idioms }) => idioms.flatMap(written));
  const groups = Map.groupBy(sources, (source) => (FIXED_LETTER.test(source) ? source.charAt(0) : ''));
  const options = [...groups].map(([letter, group]) => `${letter}(?:${group.map((source) => source.slice(letter.length)).join('|')})`);
  return new RegExp(` (?:${options.join('|')})(?= )`);
}

export const IDIOMS = anyIdiom();
