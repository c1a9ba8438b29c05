/**
 * The notation of phrases. Letters match themselves in upper and lower case, a space matches one space, and
 *
 *     (a|b)              one of these
 *     [a]  [a|b]         one of these, or nothing
 *     '                  an apostrophe, however it is written or garbled: any one character
 *     _                  a space where a plain one would be invisible: at the end of a line or before a bracket
 *     |                  outside brackets: the edge of a word
 *     ^  $               the start and the end of the text
 *     <30>               a gap of up to 30 characters within a line
 *     <30 in sentence>   the same, without a full stop, question mark or exclamation mark
 *     <6 words>          a gap of up to 6 words, each after a space: "user <6 words> not found"
 *     <word>             characters without a space
 *     <letters>          ASCII letters, digits and underscores
 *     <digit>  <number>  one digit; several
 *     <blank>            spaces and tabs, or nothing
 *     <stop>             the end of a sentence, of a line or of the text
 *     <not x>            not followed by x
 *     <not after x>      not preceded by x
 *     <name>             a phrase of the list `name` that was passed to the table
 *     \x                 x itself, if x is one of these signs
 *
 * Every repetition has a maximum, so a match takes time in proportion to the length of the text, whatever it contains.
 */

export type Part =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'choice'; readonly options: readonly Phrase[] }
  /** The source of a regular expression, and texts that it matches. */
  | { readonly kind: 'pattern'; readonly source: string; readonly examples: readonly string[] }
  | { readonly kind: 'not'; readonly where: 'ahead' | 'behind'; readonly phrase: Phrase };

/** A phrase after parsing: parts that follow one another. */
export type Phrase = readonly Part[];

/** The phrases of each list, for `<name>`. */
export type Lists = Readonly<Record<string, readonly Phrase[]>>;

/** Matches one token. A gap of words includes the space before it. */
const TOKEN = /\\.| <\d+ words>|<(?:[^<>]|<[^<>]*>)*>|[()[\]|^$'_]|(?:(?! <\d+ words>)[^\\<>()[\]|^$'_])+/gu;

const MAX_WORD = 200;

const pattern = (source: string, ...examples: string[]): Part => ({ kind: 'pattern', source, examples });

const PLACEHOLDERS: Readonly<Record<string, Part>> = {
  "'": pattern('.', "'"),
  _: { kind: 'text', text: ' ' },
  '^': pattern('^', ''),
  $: pattern('$', ''),
  '<word>': pattern(`\\S{1,${MAX_WORD}}`, 'qx'),
  '<letters>': pattern('\\w{1,40}', 'qx'),
  '<digit>': pattern('\\d', '7'),
  '<number>': pattern('\\d{1,12}', '17'),
  '<blank>': pattern('[ \\t]{0,20}', '', ' '),
  '<stop>': pattern('(?:[.!\\n]|$)', '.', '\n', ''),
};

/** Parses one phrase. Throws an Error that quotes it if a bracket is unbalanced or a placeholder unknown. */
export function parsePhrase(line: string, lists: Lists = {}): Phrase {
  const tokens = line.match(TOKEN) ?? [];
  if (line === '' || tokens.join('') !== line) throw new Error(`"${line}": not a phrase`);
  const parser = new Parser(line, tokens, lists);
  const phrase = parser.sequence();
  if (!parser.isAtEnd) throw new Error(`"${line}": a closing bracket has no opening one`);
  return phrase;
}

class Parser {
  readonly #line: string;
  readonly #tokens: readonly string[];
  readonly #lists: Lists;
  #at = 0;
  #depth = 0;

  constructor(line: string, tokens: readonly string[], lists: Lists) {
    this.#line = line;
    this.#tokens = tokens;
    this.#lists = lists;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#tokens.length;
  }

  /** Parses the parts up to the end of the line, or to the bar or bracket that ends an option. */
  sequence(): Phrase {
    const parts: Part[] = [];
    for (let token = this.#tokens[this.#at]; token !== undefined && !this.#endsOption(token); token = this.#tokens[this.#at]) {
      this.#at++;
      parts.push(this.#part(token));
    }
    return parts;
  }

  #endsOption(token: string): boolean {
    return token === ')' || token === ']' || (token === '|' && this.#depth > 0);
  }

  #part(token: string): Part {
    if (token === '(') return { kind: 'choice', options: this.#options(')') };
    if (token === '[') return { kind: 'choice', options: [...this.#options(']'), []] };
    if (token === '|') return this.#edge();
    if (token.startsWith('\\')) return { kind: 'text', text: token.slice(1) };
    const placeholder = PLACEHOLDERS[token];
    if (placeholder !== undefined) return placeholder;
    return token.endsWith('>') ? this.#placeholder(token.trim().slice(1, -1)) : { kind: 'text', text: token };
  }

  /** Returns the edge of a word. Next to non-ASCII letters it is a lookaround, because `\\b` knows only ASCII letters. */
  #edge(): Part {
    if (/[^\0-\x7f]$/u.test(this.#tokens[this.#at - 2] ?? '')) return pattern('(?!\\p{L})', '');
    if (/^[^\0-\x7f]/u.test(this.#tokens[this.#at] ?? '')) return pattern('(?<!\\p{L})', '');
    return pattern('\\b', '');
  }

  #options(closing: string): Phrase[] {
    this.#depth++;
    const options = [this.sequence()];
    while (this.#tokens[this.#at] === '|') {
      this.#at++;
      options.push(this.sequence());
    }
    this.#depth--;
    if (this.#tokens[this.#at++] !== closing) throw new Error(`"${this.#line}": "${closing}" is missing`);
    return options;
  }

  #placeholder(name: string): Part {
    const [, most, unit] = /^(\d+)( words| in sentence)?$/.exec(name) ?? [];
    if (unit === ' words') return pattern(`(?: \\S{1,${MAX_WORD}}){0,${most}}`, '', ' qx');
    if (unit === ' in sentence') return pattern(`[^.!?\\n]{0,${most}}`, '', ' qx ');
    if (most !== undefined) return pattern(`.{0,${most}}`, '', ' qx ');
    const [, after, excluded] = /^not (after )?(.+)$/.exec(name) ?? [];
    if (excluded !== undefined)
      return { kind: 'not', where: after === undefined ? 'ahead' : 'behind', phrase: parsePhrase(excluded, this.#lists) };
    const options = this.#lists[name];
    if (options === undefined) throw new Error(`"${this.#line}": there is no list "${name}"`);
    return { kind: 'choice', options };
  }
}

/** Returns the source of a regular expression, for the flags `iu`, that matches any one of the phrases. It captures nothing. */
export function patternOfAny(phrases: readonly Phrase[]): string {
  const isOptional = phrases.some((phrase) => phrase.length === 0);
  const options = phrases.filter((phrase) => phrase.length > 0).map((phrase) => phrase.map(patternOf).join(''));
  return `(?:${options.join('|')})${isOptional ? '?' : ''}`;
}

/**
 * Returns the same for a search, which only needs to know whether and where a phrase begins. Phrases with the same beginning become one
 * option. V8 tries one option after the other at each character of a text, so this halves the time for most tables: 600 characters of
 * English take 2.5 µs instead of 5.
 */
export function searchPatternOf(phrases: readonly Phrase[]): string {
  const groups = Map.groupBy(phrases.flatMap(byFirstPart), ([first]) => (first === undefined ? '' : patternOf(first)));
  const options = [...groups].map(([head, group]) => {
    const [first] = group[0] as Phrase;
    const rests = group.map((phrase) => phrase.slice(1));
    if (first?.kind === 'choice') return searchPatternOf(first.options) + patternOfAny(rests);
    // The edge of a word consumes no letter, so the rests can be grouped again.
    return head + (first?.kind === 'pattern' ? searchPatternOf(rests) : patternOfAny(rests));
  });
  return `(?:${options.join('|')})`;
}

/** Choices with more options are not expanded. */
const MAX_EXPANDED = 8;

/** Expands a phrase that begins with a choice into one phrase for each option, and splits off its first letter as a separate part. */
function byFirstPart(phrase: Phrase): Phrase[] {
  const [first, ...rest] = phrase;
  if (first?.kind === 'choice' && first.options.length <= MAX_EXPANDED)
    return first.options.flatMap((option) => byFirstPart([...option, ...rest]));
  if (first?.kind !== 'text') return [phrase];
  const [letter = ''] = first.text;
  return [[{ kind: 'text', text: letter }, { kind: 'text', text: first.text.slice(letter.length) }, ...rest]];
}

function patternOf(part: Part): string {
  if (part.kind === 'text') return part.text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  if (part.kind === 'choice') return patternOfAny(part.options);
  if (part.kind === 'pattern') return part.source;
  return `(?${part.where === 'ahead' ? '' : '<'}!${part.phrase.map(patternOf).join('')})`;
}
