import { Buffer } from 'node:buffer';
import { isBeyondAscii, LEAST_MARK, marksOf } from './marks.ts';
import { type Phrase, patternOfAny } from './notation.ts';

const SHIFT = 4;
const SLOTS = 1 << (SHIFT * LEAST_MARK);
/** The only characters beyond ASCII that the flags `iu` take for letters of ASCII. */
const LIKE_ASCII = /[\u017f\u212a]/u;
const MAX_SEEN = 4;

/** The phrases of each search whose marks occur in a text. */
interface Seen {
  text: string;
  phrases: ReadonlyMap<PhraseSearch, ReadonlySet<number>>;
  isAscii: boolean;
}

interface Mark {
  /** Its characters, as `likeLower` has them. */
  readonly codes: Uint8Array;
  /** Index of its rarest characters, of which there are LEAST_MARK. */
  readonly key: number;
  readonly search: PhraseSearch;
  readonly phrase: number;
}

/**
 * Finds the marks of all phrases in one pass over a text: their last characters give a slot, and few slots have marks. A message is
 * searched for the phrases of many tables, so the last texts are kept.
 */
class MarkedTexts {
  /** Of each slot the index of its marks; 0 where it has none. */
  readonly #slots = new Uint16Array(SLOTS);
  readonly #marks: Mark[][] = [[]];
  #seen: Seen[] = [];

  add(mark: Mark): void {
    const slot = mark.codes.subarray(mark.key, mark.key + LEAST_MARK).reduce(nextSlot, 0);
    this.#slots[slot] ||= this.#marks.push([]) - 1;
    this.#marks[this.#slots[slot] as number]?.push(mark);
    this.#seen = [];
  }

  /** The phrases whose marks a text has; of a text that begins one of the last, those of all of that. */
  in(text: string): Seen {
    // Compared so because startsWith() takes a step for each character.
    const known = this.#seen.find((seen) => seen.text.slice(0, text.length) === text);
    if (known !== undefined) return known;
    const seen = this.#lookThrough(text);
    this.#seen = [seen, ...this.#seen.slice(0, MAX_SEEN - 1)];
    return seen;
  }

  #lookThrough(text: string): Seen {
    const phrases = new Map<PhraseSearch, Set<number>>();
    const slots = this.#slots;
    // Read in a third of the time of charCodeAt(). A character that does not fit into a byte may be taken for another one.
    const bytes = Buffer.from(text, 'latin1');
    let slot = 0;
    for (let at = 0; at < bytes.length; at++) {
      slot = nextSlot(slot, bytes[at] as number);
      const marks = slots[slot] as number;
      if (marks > 0) this.#look(bytes, at + 1 - LEAST_MARK, marks, phrases);
    }
    return { text, phrases, isAscii: Buffer.byteLength(text) === text.length };
  }

  /** Adds the phrases of the marks that stand there in the text. */
  #look(bytes: Uint8Array, at: number, marks: number, phrases: Map<PhraseSearch, Set<number>>): void {
    for (const { codes, key, search, phrase } of this.#marks[marks] as readonly Mark[]) {
      if (!standsAt(bytes, at - key, codes)) continue;
      const found = phrases.get(search);
      if (found === undefined) phrases.set(search, new Set([phrase]));
      else found.add(phrase);
    }
  }
}

function standsAt(bytes: Uint8Array, start: number, codes: Uint8Array): boolean {
  if (start < 0 || start + codes.length > bytes.length) return false;
  for (let at = codes.length - 1; at >= 0; at--) if (likeLower(bytes[start + at] as number) !== codes[at]) return false;
  return true;
}

/** The same for a letter of ASCII in upper and lower case; that it is for some other characters costs a search that finds nothing. */
const likeLower = (code: number) => code | 0x20;

/** The slot of the last LEAST_MARK characters. */
const nextSlot = (slot: number, code: number) => ((slot << SHIFT) ^ likeLower(code)) & (SLOTS - 1);

/** Characters from the most to the least frequent one in texts of many languages. */
const FREQUENCY = ' eainrtosldumcghpvbfkwyzjxq';

/** Index of the LEAST_MARK characters that texts have least. */
function rarestIn(mark: string): number {
  const rareness = (at: number) =>
    Array.from(mark.slice(at, at + LEAST_MARK)).reduce((sum, character) => sum + (FREQUENCY.indexOf(character) + 1 || FREQUENCY.length), 0);
  const starts = Array.from({ length: mark.length + 1 - LEAST_MARK }, (_, at) => at);
  return starts.reduce((best, at) => (rareness(at) > rareness(best) ? at : best), 0);
}

const MARKED = new MarkedTexts();

/** A search for phrases. */
export interface Search {
  /** True when one of the phrases occurs in the text. */
  matches(text: string): boolean;
  /** Index in the text at which the first phrase begins, or -1. */
  indexIn(text: string): number;
}

/** Searches texts for few phrases. */
export class PhraseExpression implements Search {
  readonly #expression: RegExp;

  constructor(phrases: readonly Phrase[]) {
    this.#expression = new RegExp(patternOfAny(phrases), 'iu');
  }

  matches(text: string): boolean {
    return this.#expression.test(text);
  }

  indexIn(text: string): number {
    return text.search(this.#expression);
  }
}

/**
 * Searches texts for many phrases. One expression of all of them tries hundreds of alternatives at each character; so only those are tried
 * whose marks occur in the text, mostly none, and the few that have no marks.
 */
export class PhraseSearch implements Search {
  readonly #phrases: readonly Phrase[];
  readonly #expressions: (RegExp | undefined)[] = [];
  /** Of the phrases without a mark, those that may occur in ASCII, and all. */
  readonly #inAscii: readonly RegExp[];
  readonly #unmarked: readonly RegExp[];

  constructor(phrases: readonly Phrase[]) {
    this.#phrases = phrases;
    const unmarked = phrases.filter((phrase, index) => {
      const marks = marksOf(phrase);
      for (const text of marks) MARKED.add({ codes: Buffer.from(text).map(likeLower), key: rarestIn(text), search: this, phrase: index });
      return marks.length === 0;
    });
    this.#unmarked = expressionsOf(unmarked);
    this.#inAscii = expressionsOf(unmarked.filter((phrase) => !isBeyondAscii(phrase)));
  }

  matches(text: string): boolean {
    return this.#candidates(text).some((expression) => expression.test(text));
  }

  indexIn(text: string): number {
    const found = this.#candidates(text).map((expression) => text.search(expression));
    return found.reduce((first, at) => (at >= 0 && (first < 0 || at < first) ? at : first), -1);
  }

  /** The expressions of all phrases that may occur in the text. */
  #candidates(text: string): readonly RegExp[] {
    const { phrases, isAscii } = MARKED.in(text);
    if (!isAscii && LIKE_ASCII.test(text)) return expressionsOf(this.#phrases);
    const unmarked = isAscii ? this.#inAscii : this.#unmarked;
    const marked = phrases.get(this);
    return marked === undefined ? unmarked : [...unmarked, ...Array.from(marked, (index) => this.#expression(index))];
  }

  #expression(index: number): RegExp {
    this.#expressions[index] ??= new RegExp(patternOfAny([this.#phrases[index] as Phrase]), 'iu');
    return this.#expressions[index];
  }
}

const expressionsOf = (phrases: readonly Phrase[]) => (phrases.length === 0 ? [] : [new RegExp(patternOfAny(phrases), 'iu')]);
