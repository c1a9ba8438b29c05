import { LEXICONS } from './lexicons/languages.ts';
import { beginsSequence, type Lexicon, roles } from './lexicons/lexicon.ts';

/** English terms that people use in every language. */
const INTERNATIONAL = new Map<string, number>([
  ...['unsubscribe', 'unsubscribed', 'unsub', 'optout', 'td'].map((word) => [word, roles('unsubscribe')] as const),
  ...['list', 'mailing', 'mailinglist', 'database', 'crm'].map((word) => [word, roles('list')] as const),
  ...['newsletter', 'newsletters', 'spam', 'mails', 'emails', 'followups'].map((word) => [word, roles('mail')] as const),
  ...['email', 'mail'].map((word) => [word, roles('mail', 'data')] as const),
  ...['please', 'thanks'].map((word) => [word, roles('filler')] as const),
  ...([
    ['stop', roles('stop')],
    ['gdpr', roles('right')],
  ] as const),
]);

const VERB = roles('remove', 'unsubscribe', 'take', 'stop', 'send', 'want', 'receive', 'withdraw', 'object');
const IMPERATIVE = roles('remove', 'unsubscribe', 'take', 'stop', 'send');
const NOT = roles('not');
const ME = roles('me');
const FILLER = roles('filler');
/** The stems of these verbs are so short that they match unrelated words: Spanish "para" (for) is not a form of "parar". */
const UNLIKE_FILLER = roles('stop', 'take', 'call');
/** Every request has one of these roles, unless it is an idiom. */
const STRONG = roles('remove', 'removed', 'unsubscribe', 'take', 'off', 'stop', 'not', 'block', 'object', 'withdraw');
const ANY = -1;
const MAX_STEM = 20;
const MAX_CACHED = 20_000;

/**
 * For each word, stem or ending: the languages that have it, by their index in LEXICONS, each followed by its roles there. They are flat
 * lists, because ten thousand separate pairs would take a megabyte more.
 */
type Index = ReadonlyMap<string, readonly number[]>;

const NONE: readonly number[] = [];

function indexOf(name: 'exact' | 'stems' | 'endings'): Index {
  const index = new Map<string, readonly number[]>();
  for (const [at, lexicon] of LEXICONS.entries())
    for (const [key, bits] of lexicon[name]) {
      index.set(key, (index.get(key) ?? NONE).concat(at, bits));
    }
  return index;
}
const EXACT = indexOf('exact');
const STEMS = indexOf('stems');
const ENDINGS = indexOf('endings');
const AFFIXED = LEXICONS.flatMap((lexicon, at) =>
  lexicon.prefixes.length + lexicon.negations.length + lexicon.enclitics.length > 0 ? [[lexicon, at] as const] : [],
);

/** The meaning of a word. A set of languages has one bit for each language, by its index in LEXICONS. */
export interface Meaning {
  /** Its roles in each language, in the order of LEXICONS; null if no language knows it. */
  readonly roles: Int32Array | null;
  /** The languages that know it. */
  readonly known: number;
  /** The languages in which it may begin a sequence of words. */
  readonly begins: number;
  /** The languages in which it is a word of a request, or may begin a sequence that is one. */
  readonly asks: number;
}

/** The meaning of a word that no language has: names, and most words of other languages. */
const UNKNOWN: Meaning = { roles: null, known: 0, begins: 0, asks: 0 };

/** Meanings by word. Most words of a message also occurred in the last one. */
const cache = new Map<string, Meaning>();

/** Returns the meaning of a folded word. */
export function meaningOf(word: string): Meaning {
  let found = cache.get(word);
  if (found !== undefined) return found;
  const bits = inLists(word);
  for (const [lexicon, at] of AFFIXED) bits[at] = withAffix(word, lexicon, at) || (bits[at] as number);
  const international = INTERNATIONAL.get(word);
  if (international !== undefined) for (let at = 0; at < bits.length; at++) bits[at] ||= international;
  const known = languagesWhere((_, at) => bits[at] !== 0);
  const begins = languagesWhere((lexicon) => beginsSequence(word, lexicon, ANY));
  const asks = languagesWhere((lexicon, at) => ((bits[at] as number) & STRONG) !== 0 || beginsSequence(word, lexicon, STRONG));
  found = (known | begins) === 0 ? UNKNOWN : { roles: known === 0 ? null : bits, known, begins, asks };
  if (cache.size >= MAX_CACHED) cache.clear();
  cache.set(word, found);
  return found;
}

const languagesWhere = (holds: (lexicon: Lexicon, at: number) => boolean): number =>
  LEXICONS.reduce((set, lexicon, at) => (holds(lexicon, at) ? set | (1 << at) : set), 0);

function add(bits: Int32Array, at: number, roles: number): void {
  bits[at] = (bits[at] as number) | roles;
}

function inLists(word: string): Int32Array {
  const bits = new Int32Array(LEXICONS.length);
  // A longer stem replaces a shorter one.
  for (let end = 2; end <= Math.min(word.length, MAX_STEM); end++) {
    const stems = STEMS.get(word.slice(0, end)) ?? NONE;
    for (let index = 0; index < stems.length; index += 2) bits[stems[index] as number] = stems[index + 1] as number;
  }
  for (let from = Math.max(0, word.length - MAX_STEM); from <= word.length - 3; from++) {
    const endings = ENDINGS.get(word.slice(from)) ?? NONE;
    for (let index = 0; index < endings.length; index += 2) add(bits, endings[index] as number, endings[index + 1] as number);
  }
  const words = EXACT.get(word) ?? NONE;
  for (let index = 0; index < words.length; index += 2) {
    const at = words[index] as number;
    const role = words[index + 1] as number;
    const stem = bits[at] as number;
    bits[at] = role === FILLER && (stem & UNLIKE_FILLER) === 0 ? role | stem : role;
  }
  return bits;
}

/** Returns the roles of a word together with its affix; 0 if it has no known affix. */
function withAffix(word: string, { negations, enclitics, prefixes, exact }: Lexicon, at: number): number {
  for (const negation of negations) {
    if (!word.startsWith(negation) || word.length < negation.length + 3 || exact.has(word)) continue;
    const bits = (inLists(word.slice(negation.length))[at] as number) & VERB;
    if (bits !== 0) return bits | NOT;
  }
  for (const enclitic of enclitics) {
    if (!word.endsWith(enclitic) || word.length < enclitic.length + 3) continue;
    const bits = inLists(word.slice(0, -enclitic.length))[at] as number;
    if ((bits & IMPERATIVE) !== 0) return bits | ME;
  }
  for (const prefix of prefixes) {
    if (!word.startsWith(prefix) || word.length < prefix.length + 2 || exact.has(word)) continue;
    const bits = inLists(word.slice(prefix.length))[at] as number;
    if (bits !== 0) return bits;
  }
  return 0;
}
