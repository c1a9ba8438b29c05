import type { Clause } from './clause.ts';
import { signsOf } from './east-asian.ts';
import type { Certainty } from './grammar.ts';
import { ROLE, ROLES } from './lexicons/lexicon.ts';
import type { Sentence } from './sentence.ts';
import { singleSpaced } from './text.ts';

/**
 * Number of buckets for the hashed features, a power of two. In cross-validation, a quarter of them finds 3 % less and twice as many find
 * no more.
 */
export const BUCKETS = 1 << 19;
/** Lengths of n-grams in UTF-16 units. */
const SHORTEST = 2;
const LONGEST = 5;
const MAX_LENGTH = 300;
/** Two roles at most this many words apart form a pair. */
const MAX_ROLE_DISTANCE = 6;

/** Hashed features of one kind. Their combined influence does not depend on their number. */
interface Group {
  /** The buckets, without duplicates. */
  readonly buckets: readonly number[];
  /** Returns the feature behind a bucket, for display. It is needed only for a few buckets, so the names are not stored. */
  nameOf(bucket: number): string;
}

/** The features of a sentence: its n-grams, the roles of its words, the verdict of the grammar, and pairs of words. */
export type Features = readonly Group[];

/**
 * Returns the hashed features of a sentence.
 * @param verdict of the grammar
 */
export function featuresOf(sentence: Sentence, verdict: Certainty | null): Features {
  const text = plainOf(sentence);
  return [ngramsOf(text), rolesIn(sentence), VERDICTS[verdict ?? 'none'], pairsOf(text)];
}

/** The weight of each group. Roles mean the same in every language, n-grams only in their own. */
const GROUPS = [1, 2, 2, 1];

/**
 * Returns the weight of one feature in a group of this size. It shrinks with the size, so that long sentences do not score higher for their
 * length.
 */
export const shareOf = (group: number, size: number): number => (size === 0 ? 0 : (GROUPS[group] as number) / Math.sqrt(size));

const FNV_OFFSET = 0x811c9dc5;
/** FNV-1a, 32 bits. */
const hashed = (hash: number, unit: number): number => Math.imul(hash ^ unit, 0x01000193);
const bucketOfHash = (hash: number): number => (hash ^ (hash >>> 15)) & (BUCKETS - 1);

function hashedText(hash: number, text: string): number {
  let all = hash;
  for (let at = 0; at < text.length; at++) all = hashed(all, text.charCodeAt(at));
  return all;
}

const bucketOf = (text: string): number => bucketOfHash(hashedText(FNV_OFFSET, text));

/** One bit for each bucket, all 0 before each group. Ten times as fast as a set. */
const seen = new Int32Array(BUCKETS / 32);

/** Adds a bucket to those of a group unless it is among them. */
function addOnce(buckets: number[], bucket: number): void {
  const marks = seen[bucket >>> 5] as number;
  const mark = 1 << (bucket & 31);
  if ((marks & mark) !== 0) return;
  seen[bucket >>> 5] = marks | mark;
  buckets.push(bucket);
}

/** Creates the group of these buckets, and clears their bits. */
function groupOf(buckets: readonly number[], nameOf: Group['nameOf']): Group {
  for (const bucket of buckets) seen[bucket >>> 5] = 0;
  return { buckets, nameOf };
}

/** Creates a group from a few names. */
function named(names: readonly string[]): Group {
  const buckets: number[] = [];
  for (const name of names) addOnce(buckets, bucketOf(name));
  return groupOf(buckets, (bucket) => names.find((name) => bucketOf(name) === bucket) ?? '');
}

/** The group for each verdict of the grammar. */
const VERDICTS = {
  certain: named(['grammar: certain']),
  likely: named(['grammar: likely']),
  none: named(['grammar: null']),
} satisfies Record<Certainty | 'none', Group>;

/** Returns the folded sentence with a single space between, before and after its words. */
function plainOf(sentence: Sentence): string {
  const plain = sentence.isEastAsian ? sentence.text.normalize('NFKC').toLowerCase() : sentence.folded;
  return ` ${singleSpaced(plain.replaceAll(/[^\p{L}\p{M}? ]+/gu, ' ')).slice(0, MAX_LENGTH)} `;
}

/** The first letters of a word, which represent it whatever its ending. */
const STEM_LENGTH = 4;
/** Two words, or two letters of Chinese and Japanese, at most this far apart form a pair. */
const MAX_WORD_DISTANCE = 3;
const IDEOGRAPHIC = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u;

const SPACE = ' '.charCodeAt(0);
const TILDE = '~'.charCodeAt(0);

/**
 * Continues a hash with the stem that starts at an index of the text. Creates no string, which saves a fifth of the time for all features.
 */
function hashedStem(hash: number, text: string, start: number): number {
  let next = hash;
  for (let at = start; at < Math.min(text.length, start + STEM_LENGTH) && text.charCodeAt(at) !== SPACE; at++)
    next = hashed(next, text.charCodeAt(at));
  return next;
}

/** Returns pairs of stems: "stop~mail", whatever is between the two words. The start and the end of the sentence count as words. */
function pairsOf(plain: string): Group {
  const text = `^${IDEOGRAPHIC.test(plain) ? plain.replaceAll(new RegExp(IDEOGRAPHIC, 'gu'), ' $& ') : plain}$`;
  const starts: number[] = [];
  for (let at = 0; at < text.length; at++)
    if (text.charCodeAt(at) !== SPACE && (at === 0 || text.charCodeAt(at - 1) === SPACE)) starts.push(at);
  const buckets: number[] = [];
  for (let at = 0; at < starts.length; at++) {
    const first = hashed(hashedStem(FNV_OFFSET, text, starts[at] as number), TILDE);
    for (let next = at + 1; next <= Math.min(starts.length - 1, at + MAX_WORD_DISTANCE); next++)
      addOnce(buckets, bucketOfHash(hashedStem(first, text, starts[next] as number)));
  }
  const stemAt = (start: number) => text.slice(start, start + STEM_LENGTH).split(' ', 1)[0];
  const names = () =>
    starts.flatMap((start, at) => starts.slice(at + 1, at + 1 + MAX_WORD_DISTANCE).map((next) => `${stemAt(start)}~${stemAt(next)}`));
  return groupOf(buckets, (bucket) => names().find((name) => bucketOf(name) === bucket) ?? '');
}

/** Returns the n-grams of a plain sentence, with marks for its start and end, because a command begins with its verb. */
function ngramsOf(plain: string): Group {
  const text = `^${plain}$`;
  const buckets: number[] = [];
  for (let from = 0; from < text.length; from++) {
    let hash = FNV_OFFSET;
    for (let at = from; at < Math.min(text.length, from + LONGEST); at++) {
      hash = hashed(hash, text.charCodeAt(at));
      if (at - from + 1 >= SHORTEST) addOnce(buckets, bucketOfHash(hash));
    }
  }
  return groupOf(buckets, (bucket) => ngramOf(text, bucket));
}

/** Returns the last n-gram in a bucket. */
function ngramOf(text: string, bucket: number): string {
  for (let from = text.length; from >= 0; from--)
    for (let length = LONGEST; length >= SHORTEST; length--) {
      const name = text.slice(from, from + length);
      if (name.length === length && bucketOf(name) === bucket) return name;
    }
  return '';
}

/** Returns the roles, the pairs of roles in a clause and the number of unknown words, which mean the same in every language. */
function rolesIn(sentence: Sentence): Group {
  if (sentence.isEastAsian) return named(signsOf(sentence.text).map((sign) => `sign ${sign}`));
  const clauses = sentence.read();
  const features: number[] = [];
  for (const clause of clauses) addClause(clause, features);
  if (clauses.length > 1) addPairs(clauses, features);
  const buckets: number[] = [];
  for (const feature of features) addOnce(buckets, BUCKET_OF[feature] as number);
  return groupOf(buckets, (bucket) => NAMES[features.find((feature) => BUCKET_OF[feature] === bucket) ?? -1] ?? '');
}

/** The names of all role features. A feature is the index of its name, so that no string is created for a sentence. */
const NAMES: string[] = [];

/** Adds names. Returns the index of the first. */
function placed(names: readonly string[]): number {
  const first = NAMES.length;
  NAMES.push(...names);
  return first;
}

const MAX_UNKNOWN = 4;
const MAX_LONG = 4;
const upTo = (most: number) => Array.from({ length: most + 1 }, (_, count) => count);
const pairs = (sign: string) => ROLES.flatMap((first) => ROLES.map((second) => `${first} ${sign} ${second}`));
const ITSELF = placed(ROLES);
const ASKED = placed(ROLES.map((role) => `${role}?`));
const BESIDE_UNKNOWN = placed(ROLES.flatMap((role) => upTo(MAX_UNKNOWN).map((unknown) => `${role}, ${unknown} unknown`)));
const WITHIN = placed(pairs('…'));
const ACROSS = placed(pairs('&'));
const UNKNOWN = placed(upTo(MAX_UNKNOWN).map((unknown) => `${unknown} unknown`));
const LONG = placed(upTo(MAX_LONG).map((long) => `${long} long`));
const BUCKET_OF = Uint32Array.from(NAMES, bucketOf);

const FILLER = ROLE.filler;
/** Returns the index in ROLES of the lowest of these roles. */
const firstOf = (bits: number): number => 31 - Math.clz32(bits & -bits);

/** Adds the pairs of roles of a sentence, also across clauses: "One more email, and I will complain." */
function addPairs(clauses: readonly Clause[], features: number[]): void {
  const all = clauses.reduce((sum, { bits }) => bits.reduce((bit, each) => bit | each, sum), 0) & ~FILLER;
  for (let own = all; own !== 0; own &= own - 1)
    for (let other = own & (own - 1); other !== 0; other &= other - 1) features.push(ACROSS + firstOf(own) * ROLES.length + firstOf(other));
}

function addClause({ bits, isQuestion, sentence }: Clause, features: number[]): void {
  const unknown = Math.min(MAX_UNKNOWN, bits.filter((each) => each === 0).length);
  features.push(UNKNOWN + unknown, LONG + Math.min(MAX_LONG, Math.ceil(sentence / 4)));
  for (let at = 0; at < bits.length; at++)
    for (let own = (bits[at] as number) & ~FILLER; own !== 0; own &= own - 1) {
      const role = firstOf(own);
      features.push(ITSELF + role, BESIDE_UNKNOWN + role * (MAX_UNKNOWN + 1) + unknown);
      if (isQuestion) features.push(ASKED + role);
      for (let next = at + 1; next <= Math.min(bits.length - 1, at + MAX_ROLE_DISTANCE); next++)
        for (let other = (bits[next] as number) & ~FILLER; other !== 0; other &= other - 1)
          features.push(WITHIN + role * ROLES.length + firstOf(other));
    }
}
