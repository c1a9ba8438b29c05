import { fold } from './fold.ts';

/**
 * The roles that a word can have in a request. Their order gives each its bit. A word may have several: "mail" is both a noun and a verb.
 */
export const ROLES = [
  ...['remove', 'removed', 'unsubscribe', 'take', 'off', 'stop', 'send', 'call', 'receive', 'want', 'not', 'again', 'mail', 'me', 'my'],
  ...['data', 'list', 'your', 'filler', 'if', 'instruct', 'i', 'be', 'how', 'could', 'object', 'withdraw', 'consent', 'processing'],
  ...['right', 'but', 'block'],
] as const;
type Role = (typeof ROLES)[number];

/** The bit of each role. */
export const ROLE = Object.fromEntries(ROLES.map((role, index) => [role, 1 << index])) as Readonly<Record<Role, number>>;

/** Returns the bits of these roles. */
export const roles = (...names: Role[]): number => names.reduce((bits, name) => bits | ROLE[name], 0);

/** A word list: whole words, stems (`remov*`), endings (`*adataim`) and sequences of words (`opt_out`). */
type WordList = string;

/** The words of one language, by role. */
type Words = Partial<Record<Role, WordList>> & {
  /** Words that mean both an email and to send one. */
  mailing?: WordList;
  /** Single words for "my data", in languages with possessive endings. */
  mydata?: WordList;
  /** Words between two requests: "remove me and do not write again". */
  split?: WordList;
  /** Fixed expressions, such as "leave me alone", as sources of regular expressions over the folded text. Choices are in brackets. */
  idioms?: readonly string[];
};

/** Parts that are written together with a word. Each list is separated by spaces. */
interface Affixes {
  /** Before a word: the article and prepositions of Arabic and Hebrew. */
  prefixes?: string;
  /** Before a verb that it negates: Czech "neposílejte". */
  negations?: string;
  /** After a verb, for "me" and "us": Italian "cancellatemi". */
  enclitics?: string;
}

/** A sequence of words. A stem may be followed by any letters. */
interface Sequence {
  readonly words: readonly { readonly text: string; readonly isStem: boolean }[];
  readonly bits: number;
}

/** The words of a language in the form that the grammar looks them up in. */
export interface Lexicon {
  readonly language: string;
  readonly exact: ReadonlyMap<string, number>;
  readonly stems: ReadonlyMap<string, number>;
  readonly endings: ReadonlyMap<string, number>;
  /** By the first two letters. */
  readonly sequences: ReadonlyMap<string, readonly Sequence[]>;
  readonly splits: ReadonlySet<string>;
  readonly idioms: readonly string[];
  readonly prefixes: readonly string[];
  readonly negations: readonly string[];
  readonly enclitics: readonly string[];
}

/** True if a word may begin a sequence that has one of these roles. */
export const beginsSequence = (word: string, { sequences }: Lexicon, mask: number): boolean =>
  sequences.get(word.slice(0, 2))?.some(({ words: [first], bits }) => (bits & mask) !== 0 && first !== undefined && isWord(first, word)) ??
  false;

const isWord = ({ text, isStem }: Sequence['words'][number], word: string) => (isStem ? word.startsWith(text) : word === text);

const BITS: Readonly<Record<string, number>> = {
  ...ROLE,
  mailing: roles('mail', 'send'),
  mydata: roles('my', 'data'),
};

const list = (words: string | undefined) => words?.split(/\s+/).filter((word) => word !== '') ?? [];

/** Compiles the word lists of a language. */
export function lexicon(language: string, { split, idioms = [], ...words }: Words, affixes: Affixes = {}): Lexicon {
  const maps = { exact: new Map<string, number>(), stems: new Map<string, number>(), endings: new Map<string, number>() };
  const sequences = new Map<string, Sequence[]>();
  const add = (map: Map<string, number>, key: string, bits: number) => map.set(key, (map.get(key) ?? 0) | bits);
  for (const [role, value] of Object.entries(words))
    for (const word of list(value)) {
      const bits = BITS[role] as number;
      const folded = fold(word).replaceAll("'", '');
      if (/[_-]/.test(folded)) {
        const parts = folded.split(/[_-]+/).filter((part) => part !== '');
        const key = folded.slice(0, 2);
        const sequence = { words: parts.map((part) => ({ text: part.replace('*', ''), isStem: part.endsWith('*') })), bits };
        sequences.set(key, [...(sequences.get(key) ?? []), sequence]);
      } else if (folded.startsWith('*')) add(maps.endings, folded.slice(1), bits);
      else if (folded.endsWith('*')) add(maps.stems, folded.slice(0, -1), bits);
      else add(maps.exact, folded, bits);
    }
  // The first word of a sequence counts as known in the language, too.
  for (const { words: parts } of [...sequences.values()].flat()) {
    const { text } = parts[0] as { text: string };
    const isKnown = maps.exact.has(text) || [...maps.stems.keys()].some((stem) => text.startsWith(stem));
    if (text.length > 3 && !isKnown) maps.exact.set(text, roles('filler'));
  }
  return {
    ...{ language, ...maps, sequences, idioms, splits: new Set(list(split).map(fold)) },
    ...{ prefixes: list(affixes.prefixes), negations: list(affixes.negations), enclitics: list(affixes.enclitics) },
  };
}
