import type { Clause } from './clause.ts';
import { isEastAsian, signsOf } from './east-asian.ts';
import { readSentence } from './judge-sentence.ts';
import { fold } from './lexicons/fold.ts';
import { ROLE, ROLES, roles } from './lexicons/lexicon.ts';

/** Buckets of the hashed features; a power of two. */
export const BUCKETS = 1 << 15;
/** Lengths of n-grams in UTF-16 units. */
const SHORTEST = 2;
const LONGEST = 4;
const MAX_LENGTH = 300;
/** Words between two roles that still belong together. */
const REACH = 6;

const OTHERWISE = roles('if', 'but');
const REMOVAL = roles('remove', 'unsubscribe');

/** The features of a sentence by their bucket: its n-grams, and the roles of its words. */
export interface Features {
  readonly ngrams: ReadonlyMap<number, string>;
  readonly roles: ReadonlyMap<number, string>;
}

/** The hashed features of a sentence, each once. */
export const featuresOf = (sentence: string): Features => ({ ngrams: ngramsOf(sentence), roles: byBucket(roleFeatures(sentence)) });

/** FNV-1a, 32 bits, folded to a bucket. */
function bucketOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return (hash ^ (hash >>> 15)) & (BUCKETS - 1);
}

const byBucket = (features: Iterable<string>): Map<number, string> => new Map([...features].map((feature) => [bucketOf(feature), feature]));

/** The n-grams of the folded sentence, its words separated by one space, with one before and one after. */
function ngramsOf(sentence: string): Map<number, string> {
  const plain = isEastAsian(sentence) ? sentence.normalize('NFKC').toLowerCase() : fold(sentence);
  const text = ` ${plain
    .replaceAll(/[^\p{L}\p{M}?]+/gu, ' ')
    .trim()
    .slice(0, MAX_LENGTH)} `;
  const found = new Map<number, string>();
  for (let from = 0; from < text.length; from++) {
    let hash = 0x811c9dc5;
    for (let at = from; at < Math.min(text.length, from + LONGEST); at++) {
      hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0;
      if (at - from + 1 >= SHORTEST) found.set((hash ^ (hash >>> 15)) & (BUCKETS - 1), text.slice(from, at + 1));
    }
  }
  return found;
}

/** Roles, pairs of them in one clause, and how much of the clause is unknown: the same in every language. */
function roleFeatures(sentence: string): Set<string> {
  if (isEastAsian(sentence)) return new Set(signsOf(sentence).map((sign) => `sign ${sign}`));
  return new Set(readSentence(sentence).flatMap(ofClause));
}

/** True if the grammar knows that a sentence asks for something else: it has a condition, another object, or negates the removal. */
export function isOtherwise(sentence: string): boolean {
  if (isEastAsian(sentence)) return signsOf(sentence).includes('unless');
  return readSentence(sentence).some(({ bits }) => {
    const all = bits.reduce((sum, each) => sum | each, 0);
    return (all & OTHERWISE) !== 0 || ((all & ROLE.not) !== 0 && (all & REMOVAL) !== 0);
  });
}

function ofClause({ bits, isQuestion, sentence }: Clause): string[] {
  const named = bits.map((each) => ROLES.filter((role) => role !== 'filler' && (each & ROLE[role]) !== 0));
  const unknown = Math.min(4, bits.filter((each) => each === 0).length);
  const found = [`${unknown} unknown`, `${Math.min(4, Math.ceil(sentence / 4))} long`];
  for (const [at, own] of named.entries())
    for (const role of own) {
      found.push(role, `${role}, ${unknown} unknown`, ...(isQuestion ? [`${role}?`] : []));
      for (const others of named.slice(at + 1, at + 1 + REACH)) for (const other of others) found.push(`${role} … ${other}`);
    }
  return found;
}
