import { LEXICONS } from './lexicons/languages.ts';

/** An idiom that starts with a choice: "(?:leave|let) me alone". */
const BEGINNINGS = /^\(\?:([^()]+)\)(?![?*+])(.*)$/;
/** A first letter that is not optional. */
const FIXED_LETTER = /^\p{L}(?![?*+])/u;

/** Expands an idiom that starts with a choice into one source for each option. */
function expanded(source: string): string[] {
  const [, options, rest = ''] = BEGINNINGS.exec(source) ?? [];
  return options === undefined ? [source] : options.split('|').map((option) => option + rest);
}

/**
 * Returns an expression for the idioms of all languages, such as "leave me alone", with the space before them. V8 tries one option after
 * the other at each word, so idioms with the same first letter form one option: 330 characters take 0.8 µs instead of 3.
 */
function anyIdiom(): RegExp {
  const sources = LEXICONS.flatMap(({ idioms }) => idioms.flatMap(expanded));
  const groups = Map.groupBy(sources, (source) => (FIXED_LETTER.test(source) ? source.charAt(0) : ''));
  const options = [...groups].map(([letter, group]) => `${letter}(?:${group.map((source) => source.slice(letter.length)).join('|')})`);
  return new RegExp(` (?:${options.join('|')})(?= )`);
}

export const IDIOMS = anyIdiom();
