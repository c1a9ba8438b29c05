import { allMatches } from './all-matches.ts';

/** A word, or one character of a script without spaces. */
const WORD = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]|[\p{L}\p{M}\p{N}]+/gu;
/** Links don't count as words, because gateways on both sides rewrite them. */
const LINK = /<?\b(?:https?:\/\/|mailto:|www\.)[^\s<>]+>?/giu;

/** This many consecutive words of ours are a copy. Fewer may be a coincidence, or an answer in our words. */
const COPY_LENGTH = 8;
/** An email with fewer words than COPY_LENGTH must be repeated as a whole. One with fewer words than this is never searched for. */
const MIN_WORDS = 4;
/** Most words that may differ inside a copy: a changed name, a link written out. */
const MAX_CHANGED_WORDS = 4;
const KEY_WORDS = 3;
const MAX_PLACES = 8;

interface Word {
  text: string;
  start: number;
  end: number;
}

/** Consecutive words that are the same in both texts: the index of the first word in each text, and the number of words. */
interface Run {
  at: number;
  place: number;
  length: number;
}

/** A part of a text: the index of its first character, and the index after its last. */
export interface Span {
  start: number;
  end: number;
}

/**
 * Returns the parts of a text that repeat the words of another one, in order. Ignores case, punctuation, line breaks, quote marks and
 * links. The time is proportional to the length of both texts.
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
  const [a, b, c] = [words[at], words[at + 1], words[at + KEY_WORDS - 1]];
  return a === undefined || b === undefined || c === undefined ? null : `${a.text} ${b.text} ${c.text}`;
};

/** Returns the first MAX_PLACES indexes of every three consecutive words. */
function placesOf(words: readonly Word[]): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (let at = 0; at + KEY_WORDS <= words.length; at++) {
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

/**
 * Returns all runs of a copy, from its first run. After a few differing words it continues with at least two equal words, or with the last
 * word.
 */
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
