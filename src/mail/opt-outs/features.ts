import type { Clause } from './clause.ts';
import { isEastAsian, signsOf } from './east-asian.ts';
import type { Certainty } from './grammar.ts';
import { readSentence } from './judge-sentence.ts';
import { fold } from './lexicons/fold.ts';
import { ROLE, ROLES } from './lexicons/lexicon.ts';

/** Buckets of the hashed features; a power of two. Half as many find 0.4 % less in cross-validation. */
export const BUCKETS = 1 << 17;
/** Lengths of n-grams in UTF-16 units. */
const SHORTEST = 2;
const LONGEST = 5;
const MAX_LENGTH = 300;
/** Words between two roles that still belong together. */
const REACH = 6;

/** Hashed features that weigh the same together however many they are. */
interface Group {
  /** Each once. */
  readonly buckets: readonly number[];
  /** The feature behind a bucket, for a person. It is asked for a few of them, so nothing is kept for it. */
  nameOf(bucket: number): string;
}

/** The features of a sentence: its n-grams, the roles of its words, and what the grammar says. */
export type Features = readonly Group[];

/**
 * The hashed features of a sentence.
 * @param verdict what the grammar says about it
 */
export function featuresOf(sentence: string, verdict: Certainty | null): Features {
  return [ngramsOf(sentence), named(roleFeatures(sentence)), named(new Set([`grammar: ${verdict}`]))];
}

/** The share of each group: roles mean the same in every language, n-grams only in their own. */
const GROUPS = [1, 2, 2];

/** The share of one feature in its group: the more there are, the less each says, so that long sentences gain nothing by their length. */
export const shareOf = (group: number, size: number): number => (size === 0 ? 0 : (GROUPS[group] as number) / Math.sqrt(size));

/** FNV-1a, 32 bits, folded to a bucket. */
function bucketOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return (hash ^ (hash >>> 15)) & (BUCKETS - 1);
}

/** Buckets of names, which are few. */
const bucketOfName = new Map<string, number>();

function named(names: ReadonlySet<string>): Group {
  const byBucket = new Map<number, string>();
  for (const name of names) {
    const bucket = bucketOfName.get(name) ?? bucketOf(name);
    bucketOfName.set(name, bucket);
    byBucket.set(bucket, name);
  }
  return { buckets: [...byBucket.keys()], nameOf: (bucket) => byBucket.get(bucket) ?? '' };
}

/** The round in which each bucket was last seen: ten times as fast as a set. */
const seen = new Uint32Array(BUCKETS);
let round = 0;

/** The n-grams of the folded sentence, its words separated by one space, with one before and one after. */
function ngramsOf(sentence: string): Group {
  const plain = isEastAsian(sentence) ? sentence.normalize('NFKC').toLowerCase() : fold(sentence);
  const text = ` ${plain
    .replaceAll(/[^\p{L}\p{M}?]+/gu, ' ')
    .trim()
    .slice(0, MAX_LENGTH)} `;
  const buckets: number[] = [];
  round = (round + 1) >>> 0;
  eachNgram(text, (bucket) => {
    if (seen[bucket] !== round) buckets.push(bucket);
    seen[bucket] = round;
  });
  const nameOf = (wanted: number) => {
    let name = '';
    eachNgram(text, (bucket, from, to) => {
      if (bucket === wanted) name = text.slice(from, to);
    });
    return name;
  };
  return { buckets, nameOf };
}

function eachNgram(text: string, visit: (bucket: number, from: number, to: number) => void): void {
  for (let from = 0; from < text.length; from++) {
    let hash = 0x811c9dc5;
    for (let at = from; at < Math.min(text.length, from + LONGEST); at++) {
      hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0;
      if (at - from + 1 >= SHORTEST) visit((hash ^ (hash >>> 15)) & (BUCKETS - 1), from, at + 1);
    }
  }
}

/** Roles, pairs of them in one clause, and how much of the clause is unknown: the same in every language. */
function roleFeatures(sentence: string): Set<string> {
  if (isEastAsian(sentence)) return new Set(signsOf(sentence).map((sign) => `sign ${sign}`));
  const clauses = readSentence(sentence);
  return new Set([...clauses.flatMap(ofClause), ...acrossClauses(clauses)]);
}

const NAMED = ROLES.filter((role) => role !== 'filler');
/** By the first and the second role: making these names anew took half of the time. */
const namesOfPairs = (sign: string) => NAMED.map((first) => NAMED.map((second) => `${first} ${sign} ${second}`));
const ACROSS = namesOfPairs('&');
const WITHIN = namesOfPairs('…');
const ASKED = NAMED.map((role) => `${role}?`);
const MOST_UNKNOWN = 4;
const BESIDE_UNKNOWN = NAMED.map((role) => Array.from({ length: MOST_UNKNOWN + 1 }, (_, unknown) => `${role}, ${unknown} unknown`));

/** The places in NAMED of the roles of a word. */
function placesOf(bits: number): number[] {
  const places: number[] = [];
  for (let at = 0; at < NAMED.length; at++) if ((bits & ROLE[NAMED[at] as (typeof NAMED)[number]]) !== 0) places.push(at);
  return places;
}

/** The roles of a sentence two by two, whatever their clauses: "One more email, and I will complain." */
function acrossClauses(clauses: readonly Clause[]): string[] {
  if (clauses.length < 2) return [];
  const places = placesOf(clauses.reduce((sum, { bits }) => bits.reduce((bit, each) => bit | each, sum), 0));
  return places.flatMap((first, at) => places.slice(at + 1).map((second) => ACROSS[first]?.[second] as string));
}

function ofClause({ bits, isQuestion, sentence }: Clause): string[] {
  const places = bits.map(placesOf);
  const unknown = Math.min(MOST_UNKNOWN, bits.filter((each) => each === 0).length);
  const found = [`${unknown} unknown`, `${Math.min(4, Math.ceil(sentence / 4))} long`];
  for (const [at, own] of places.entries())
    for (const role of own) {
      found.push(NAMED[role] as string, BESIDE_UNKNOWN[role]?.[unknown] as string);
      if (isQuestion) found.push(ASKED[role] as string);
      for (let next = at + 1; next <= Math.min(places.length - 1, at + REACH); next++)
        for (const other of places[next] as number[]) found.push(WITHIN[role]?.[other] as string);
    }
  return found;
}
