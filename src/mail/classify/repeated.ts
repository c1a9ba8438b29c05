import { allMatches } from './all-matches.ts';

/** A word, or one character of a script that is written without spaces. */
const WORD = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]|[\p{L}\p{M}\p{N}]+/gu;
/** Links are rewritten by gateways on both ways, so they are no words. */
const LINK = /<?\b(?:https?:\/\/|mailto:|www\.)[^\s<>]+>?/giu;

/** So many words in a row that are the same as ours are a copy; fewer may be a coincidence, or an answer in our words. */
const COPY_LENGTH = 8;
/** A shorter email is a copy as a whole. */
const MIN_WORDS = 4;
/** Words that may differ inside a copy: a name that was changed since, a link in words. */
const MAX_CHANGED_WORDS = 4;
const KEY = 3;
const MAX_PLACES = 8;

interface Word {
  text: string;
  start: number;
  end: number;
}

/** Words in a row that are the same in both texts: the first one's place in each, and their number. */
interface Run {
  at: number;
  place: number;
  length: number;
}

/** A part of a text, from its first character to the one after its last. */
export interface Span {
  start: number;
  end: number;
}

/**
 * The parts of a text that repeat the words of another one, in their order; case, punctuation, line breaks, marks and links don't count.
 * The time is proportional to the length of both.
 */
export function repeatedParts(text: string, original: string): Span[] {
  const source = wordsOf(original);
  const words = wordsOf(text);
  const least = Math.min(COPY_LENGTH, source.length);
  if (least < MIN_WORDS) return [];
  const places = placesOf(source);
  const parts: Span[] = [];
  for (let at = 0; at < words.length; ) {
    const run = longestRun(words, at, source, places);
    if (run.length < least) {
      at++;
      continue;
    }
    const runs = runsOfCopy(words, { at, ...run }, source);
    parts.push(...runs.map((each) => ({ start: (words[each.at] as Word).start, end: (words[each.at + each.length - 1] as Word).end })));
    const last = runs.at(-1) as Run;
    at = last.at + last.length;
  }
  return parts;
}

function wordsOf(text: string): Word[] {
  const plain = text.replaceAll(LINK, (link) => ' '.repeat(link.length));
  return allMatches(WORD, plain).map(({ 0: word, index }) => ({ text: word.toLowerCase(), start: index, end: index + word.length }));
}

const keyAt = (words: readonly Word[], at: number) => {
  const [a, b, c] = [words[at], words[at + 1], words[at + KEY - 1]];
  return a === undefined || b === undefined || c === undefined ? null : `${a.text} ${b.text} ${c.text}`;
};

/** The first places of every three words in a row. */
function placesOf(words: readonly Word[]): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (let at = 0; at + KEY <= words.length; at++) {
    const key = keyAt(words, at) as string;
    const known = places.get(key);
    if (known === undefined) places.set(key, [at]);
    else if (known.length < MAX_PLACES) known.push(at);
  }
  return places;
}

function longestRun(
  words: readonly Word[],
  at: number,
  source: readonly Word[],
  places: ReadonlyMap<string, readonly number[]>,
): Omit<Run, 'at'> {
  const key = keyAt(words, at);
  let best = { place: 0, length: 0 };
  for (const place of key === null ? [] : (places.get(key) ?? [])) {
    const length = sameFrom(words, at, source, place);
    if (length > best.length) best = { place, length };
  }
  return best;
}

function sameFrom(words: readonly Word[], at: number, source: readonly Word[], place: number): number {
  let length = 0;
  while (at + length < words.length && words[at + length]?.text === source[place + length]?.text) length++;
  return length;
}

/** A copy from its first run on. Behind a few different words it goes on with two that are the same, or with the last one. */
function runsOfCopy(words: readonly Word[], first: Run, source: readonly Word[]): Run[] {
  const runs = [first];
  for (let next: Run | undefined = first; next !== undefined; ) {
    next = nextRun(words, next, source);
    if (next !== undefined) runs.push(next);
  }
  return runs;
}

function nextRun(words: readonly Word[], { at, place, length: done }: Run, source: readonly Word[]): Run | undefined {
  for (let skipped = 0; skipped <= MAX_CHANGED_WORDS; skipped++)
    for (let left = 0; left <= MAX_CHANGED_WORDS; left++) {
      const next = { at: at + done + skipped, place: place + done + left };
      const length = sameFrom(words, next.at, source, next.place);
      const isLast = length > 0 && skipped === 0 && next.place + length === source.length;
      if (length >= 2 || isLast) return { ...next, length };
    }
  return undefined;
}
