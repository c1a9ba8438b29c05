import { ROLE } from './lexicons/lexicon.ts';

/** One clause read in one language, with the roles of each word; 0 for an unknown word. */
export interface Clause {
  readonly words: readonly string[];
  readonly bits: readonly number[];
  /** Number of words in its sentence. */
  readonly sentence: number;
  /** Number of unknown words in the whole sentence. */
  readonly foreign: number;
  /** True if its sentence expresses a wish, as in "I would be grateful if you stopped". */
  readonly isWish: boolean;
  /** True if its sentence ends in a question mark. */
  readonly isQuestion: boolean;
}

/** Answers questions about the words of a clause. */
export class Reader {
  readonly bits: readonly number[];
  readonly words: readonly string[];
  readonly isQuestion: boolean;
  readonly unknown: number;
  readonly sentence: number;
  readonly foreign: number;
  readonly isWish: boolean;
  /** The roles of all words together. */
  readonly #all: number;

  constructor({ bits, words, sentence, foreign, isQuestion, isWish }: Clause) {
    this.isWish = isWish;
    this.sentence = sentence;
    this.foreign = foreign;
    this.bits = bits;
    this.words = words;
    this.isQuestion = isQuestion;
    this.unknown = bits.filter((each) => each === 0).length;
    this.#all = bits.reduce((all, each) => all | each, 0);
  }

  has(mask: number): boolean {
    return (this.#all & mask) !== 0;
  }

  /** True if "I" or "we" is the subject. A word that also means "us" does not count. */
  get isOfWriter(): boolean {
    return this.bits.some((each) => (each & ROLE.i) !== 0 && (each & ROLE.me) === 0);
  }

  /** Returns the index of the first word with one of these roles at or after `from`, or -1. */
  at(mask: number, from = 0): number {
    return this.has(mask) ? this.bits.findIndex((each, index) => index >= from && (each & mask) !== 0) : -1;
  }

  is(index: number, mask: number): boolean {
    return ((this.bits[index] ?? 0) & mask) !== 0;
  }

  isUnknown(index: number): boolean {
    return this.bits[index] === 0;
  }

  /** True if a word with a role of `mask` is at most `most` words away from a word with a role of `other`. */
  near(mask: number, other: number, most: number): boolean {
    return this.bits.some(
      (each, index) => (each & mask) !== 0 && this.bits.some((o, at) => at !== index && (o & other) !== 0 && Math.abs(at - index) <= most),
    );
  }
}
