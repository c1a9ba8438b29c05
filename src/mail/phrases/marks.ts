import type { Part, Phrase } from './notation.ts';

/** Characters of a mark by which texts are searched for it. */
export const LEAST_MARK = 4;
/** Texts that a part of a phrase may stand for, up to which all of them are listed. */
const MAX_TEXTS = 16;
const BEYOND_ASCII = /[^\0-\x7f\u017f\u212a]/u;

/**
 * The marks of a phrase: texts in lower case, of at least LEAST_MARK ASCII characters, one of which each match of the phrase contains.
 * None where there are no such texts.
 */
export function marksOf(phrase: Phrase): readonly string[] {
  let best: readonly string[] = [];
  const consider = (texts: readonly string[]) => {
    const marks = texts.map(longestInAscii);
    if (least(marks) >= LEAST_MARK && least(marks) > least(best)) best = marks;
  };
  let texts: readonly string[] = [''];
  for (const part of phrase) {
    const more = textsOf(part);
    const joined = more === null ? [] : texts.flatMap((text) => more.map((next) => text + next));
    if (joined.length > 0 && joined.length <= MAX_TEXTS) texts = joined;
    else {
      consider(texts);
      if (part.kind === 'choice') consider(marksOfAny(part.options));
      texts = more ?? [''];
    }
  }
  consider(texts);
  return best;
}

/** True where each match of the phrase contains a character that no text in ASCII has. */
export const isBeyondAscii = (phrase: Phrase): boolean =>
  phrase.some((part) =>
    part.kind === 'text' ? BEYOND_ASCII.test(part.text) : part.kind === 'choice' && part.options.every((option) => isBeyondAscii(option)),
  );

/** Longer marks occur in fewer texts, so the shortest counts. */
const least = (texts: readonly string[]) => (texts.length === 0 ? 0 : Math.min(...texts.map(({ length }) => length)));

function marksOfAny(phrases: readonly Phrase[]): readonly string[] {
  const marks = phrases.map(marksOf);
  return marks.every(({ length }) => length > 0) ? marks.flat() : [];
}

/** Divided before it is in lower case, which has letters of ASCII for some that are not. */
const longestInAscii = (text: string): string =>
  text
    .split(/[^\0-\x7f]+/)
    .reduce((longest, each) => (each.length > longest.length ? each : longest), '')
    .toLowerCase();

/** Every text that a part stands for; null where they are too many or any. */
function textsOf(part: Part): readonly string[] | null {
  if (part.kind === 'text') return [part.text];
  if (part.kind !== 'choice' || part.options.length > MAX_TEXTS) return null;
  const texts: string[] = [];
  for (const option of part.options) {
    let ofOption: readonly string[] = [''];
    for (const inner of option) {
      const more = textsOf(inner);
      if (more === null) return null;
      ofOption = ofOption.flatMap((text) => more.map((next) => text + next));
    }
    texts.push(...ofOption);
    if (texts.length > MAX_TEXTS) return null;
  }
  return texts;
}
