import type { Clause } from './clause.ts';
import { isEastAsian, signsOf } from './east-asian.ts';
import type { Certainty } from './grammar.ts';
import { readSentence } from './judge-sentence.ts';
import { fold } from './lexicons/fold.ts';
import { ROLE, ROLES } from './lexicons/lexicon.ts';

/** Buckets of the hashed features; a power of two. Twice as many find no more. */
export const BUCKETS = 1 << 16;
/** Lengths of n-grams in UTF-16 units. */
const SHORTEST = 2;
const LONGEST = 5;
const MAX_LENGTH = 300;
/** Words between two roles that still belong together. */
const REACH = 6;

/** Names of features by their bucket. */
type Named = ReadonlyMap<number, string>;

/** The features of a sentence in groups that weigh the same however many they are: its n-grams, roles, and what the grammar says. */
export type Features = readonly Named[];

/**
 * The hashed features of a sentence, each once.
 * @param verdict what the grammar says about it
 */
export function featuresOf(sentence: string, verdict: Certainty | null): Features {
  return [ngramsOf(sentence), byBucket(roleFeatures(sentence)), byBucket([`grammar: ${verdict}`])];
}

/** What the groups count for: roles mean the same in every language, n-grams only in their own. */
const GROUPS = [1, 2, 2];

/** The share of one feature in its group: the more there are, the less each says, so that long sentences gain nothing by their length. */
export const shareOf = (group: number, size: number): number => (size === 0 ? 0 : (GROUPS[group] as number) / Math.sqrt(size));

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
  const clauses = readSentence(sentence);
  return new Set([...clauses.flatMap(ofClause), ...acrossClauses(clauses)]);
}

/** The roles of a sentence two by two, whatever their clauses: "One more email, and I will complain." */
function acrossClauses(clauses: readonly Clause[]): string[] {
  if (clauses.length < 2) return [];
  const all = clauses.reduce((sum, { bits }) => bits.reduce((bit, each) => bit | each, sum), 0);
  const named = ROLES.filter((role) => role !== 'filler' && (all & ROLE[role]) !== 0);
  return named.flatMap((role, at) => named.slice(at + 1).map((other) => `${role} & ${other}`));
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
