import { type Phrase, parsePhrase, patternOfAny, searchPatternOf } from './notation.ts';

/** Phrases of one language and one origin. */
export interface PhraseGroup {
  /** ISO 639 code; `any` for names, codes and phrases of every language. */
  readonly language: string;
  /** Where the phrases come from: a standard, a server's source or manual, a public collection of mail. */
  readonly source: string;
  /** In the notation of notation.ts. */
  readonly phrases: readonly string[];
}

/** Phrases of one meaning in many languages, as a part of other phrases or of a regular expression. */
export class PhraseList {
  readonly groups: readonly PhraseGroup[];
  readonly #lists: Readonly<Record<string, PhraseList>>;
  #phrases: readonly Phrase[] | undefined;

  /** @param lists the phrases that `<name>` refers to */
  constructor(groups: readonly PhraseGroup[], lists: Readonly<Record<string, PhraseList>> = {}) {
    this.groups = groups;
    this.#lists = lists;
  }

  /** Parsed on first use. */
  get phrases(): readonly Phrase[] {
    if (this.#phrases === undefined) {
      const lists = Object.fromEntries(Object.entries(this.#lists).map(([name, list]) => [name, list.phrases]));
      this.#phrases = this.groups.flatMap(({ phrases }) => phrases.map((phrase) => parsePhrase(phrase, lists)));
    }
    return this.#phrases;
  }

  /** Any one of the phrases as the source of a regular expression with the flags `iu`; it captures nothing. */
  get pattern(): string {
    return patternOfAny(this.phrases);
  }
}

/** A list that texts are searched for. */
export class PhraseTable extends PhraseList {
  #expression: RegExp | undefined;

  /** True when one of the phrases occurs in the text. The time is proportional to its length, so callers cut it. */
  matches(text: string): boolean {
    return this.#compiled().test(text);
  }

  /** Index in the text of the first phrase, or -1. */
  indexIn(text: string): number {
    return text.search(this.#compiled());
  }

  /** All phrases as one expression, compiled on first use. */
  #compiled(): RegExp {
    this.#expression ??= new RegExp(searchPatternOf(this.phrases), 'iu');
    return this.#expression;
  }
}

/** A group written as a template with one phrase a line. */
export const group =
  (language: string, source: string) =>
  ({ raw }: TemplateStringsArray): PhraseGroup => ({
    language,
    source,
    phrases: raw
      .join('')
      .trim()
      .split(/\s*\n\s*/),
  });
