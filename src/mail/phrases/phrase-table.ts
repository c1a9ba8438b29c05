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

/** Phrases with one meaning in many languages, used as a part of other phrases or of a regular expression. */
export class PhraseList {
  readonly groups: readonly PhraseGroup[];
  readonly #lists: Readonly<Record<string, PhraseList>>;
  #phrases: readonly Phrase[] | undefined;

  /** @param lists the phrases that `<name>` refers to */
  constructor(groups: readonly PhraseGroup[], lists: Readonly<Record<string, PhraseList>> = {}) {
    this.groups = groups;
    this.#lists = lists;
  }

  /** The parsed phrases. They are parsed on first use. */
  get phrases(): readonly Phrase[] {
    if (this.#phrases === undefined) {
      const lists = Object.fromEntries(Object.entries(this.#lists).map(([name, list]) => [name, list.phrases]));
      this.#phrases = this.groups.flatMap(({ phrases }) => phrases.map((phrase) => parsePhrase(phrase, lists)));
    }
    return this.#phrases;
  }

  /** The source of a regular expression, for the flags `iu`, that matches any one of the phrases. It captures nothing. */
  get pattern(): string {
    return patternOfAny(this.phrases);
  }
}

/** A phrase list to search texts with. */
export class PhraseTable extends PhraseList {
  #expression: RegExp | undefined;

  /** True if one of the phrases occurs in the text. The time is proportional to the length of the text, so callers truncate it. */
  matches(text: string): boolean {
    return this.#compiled().test(text);
  }

  /** Returns the index of the first phrase in the text, or -1. */
  indexIn(text: string): number {
    return text.search(this.#compiled());
  }

  /** Returns all phrases as one expression, compiled on first use. */
  #compiled(): RegExp {
    this.#expression ??= new RegExp(searchPatternOf(this.phrases), 'iu');
    return this.#expression;
  }
}

/** Creates a group from a template with one phrase per line. */
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
