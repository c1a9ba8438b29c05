import type { Clause } from './clause.ts';
import { isEastAsian } from './east-asian.ts';
import { fold } from './lexicons/fold.ts';
import { LEXICONS } from './lexicons/languages.ts';
import { type Lexicon, roles } from './lexicons/lexicon.ts';
import { clausesOf, plainSentence, wordsOf } from './text.ts';
import { type Meaning, meaningOf } from './words.ts';

/** A language with its index in LEXICONS. */
export interface Language {
  readonly lexicon: Lexicon;
  readonly at: number;
}

const LANGUAGES: readonly Language[] = LEXICONS.map((lexicon, at) => ({ lexicon, at }));
const FILLER = roles('filler');
const BUT = roles('but');
const COULD = roles('could');
const RIGHT = roles('right');

/** A sentence in the forms that the grammar and the model read. Each form is computed once, on first use. */
export class Sentence {
  readonly text: string;
  readonly isEastAsian: boolean;
  #folded: string | undefined;
  #plain: string | undefined;
  #words: readonly string[] | undefined;
  #meanings: readonly Meaning[] | undefined;
  #languages: readonly Language[] | undefined;
  #clauses: readonly string[] | undefined;
  readonly #readings = new Map<Language, readonly Clause[]>();

  constructor(text: string) {
    this.text = text;
    this.isEastAsian = isEastAsian(text);
  }

  /** In lower case and without accents. */
  get folded(): string {
    this.#folded ??= fold(this.text);
    return this.#folded;
  }

  get words(): readonly string[] {
    this.#words ??= wordsOf(this.#plainText);
    return this.#words;
  }

  /** The meaning of each word. */
  get meanings(): readonly Meaning[] {
    this.#meanings ??= this.words.map(meaningOf);
    return this.#meanings;
  }

  /** The languages that know most of the words; empty if no language knows any. */
  get languages(): readonly Language[] {
    this.#languages ??= languagesOf(this.meanings);
    return this.#languages;
  }

  /** The clauses, with a single space between, before and after their words. */
  get clauses(): readonly string[] {
    this.#clauses ??= clausesOf(this.#plainText);
    return this.#clauses;
  }

  /** Reads its clauses in a language, by default the first of those that know most of the words. */
  read(language = this.languages[0]): readonly Clause[] {
    if (language === undefined) return [];
    const known = this.#readings.get(language) ?? this.#readClauses(language);
    this.#readings.set(language, known);
    return known;
  }

  get #plainText(): string {
    this.#plain ??= plainSentence(this.folded);
    return this.#plain;
  }

  #readClauses({ lexicon, at }: Language): Clause[] {
    let foreign = 0;
    let isWish = false;
    for (const { roles } of this.meanings) {
      const bits = roles === null ? 0 : (roles[at] as number);
      if ((bits & ~BUT) === 0) foreign++;
      if ((bits & COULD) !== 0) isWish = true;
    }
    const isQuestion = /[?;؟]\s*$/.test(this.text);
    return this.clauses.map((clause) => {
      const words = clause.trim().split(' ');
      return { words, bits: bitsOf(words, lexicon, at), sentence: this.words.length, foreign, isQuestion, isWish };
    });
  }
}

function languagesOf(meanings: readonly Meaning[]): readonly Language[] {
  const counts = new Array<number>(LEXICONS.length).fill(0);
  let most = 1;
  for (const { known } of meanings)
    for (let left = known; left !== 0; left &= left - 1) {
      const at = 31 - Math.clz32(left & -left);
      const count = (counts[at] as number) + 1;
      counts[at] = count;
      if (count > most) most = count;
    }
  return LANGUAGES.filter(({ at }) => counts[at] === most);
}

/** Returns the roles of each word in a language. Words that form a sequence have the roles of the sequence. */
function bitsOf(words: readonly string[], { sequences }: Lexicon, at: number): number[] {
  const meanings = words.map(meaningOf);
  const bits = meanings.map(({ roles }) => roles?.[at] ?? 0);
  for (let index = 0; index < words.length; index++) {
    if (((meanings[index] as Meaning).begins & (1 << at)) === 0) continue;
    for (const sequence of sequences.get((words[index] as string).slice(0, 2)) ?? []) {
      const matches = sequence.words.every(({ text, isStem }, offset) => {
        const found = words[index + offset];
        return isStem ? found?.startsWith(text) : found === text;
      });
      if (!matches) continue;
      bits.fill(FILLER, index, index + sequence.words.length);
      bits[index] = sequence.bits;
    }
  }
  // The number of an article of a law.
  for (let index = 0; index < words.length; index++)
    if ((((bits[index - 1] ?? 0) | (bits[index + 1] ?? 0)) & RIGHT) !== 0 && /^\d+$/.test(words[index] as string)) bits[index] = FILLER;
  return bits;
}
