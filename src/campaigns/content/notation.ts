import { tagsOf } from '../../html/tags.ts';

/** Part of a text that is not taken as it is; offsets into the text. */
export interface Mark {
  /**
   * `value` is a placeholder, also one that there can't be. `if`, `else` and `endif` are of a condition; `open`, `bar` and `close` of a
   * choice. `brace` begins double braces that are neither a placeholder nor choices.
   */
  role: 'value' | 'if' | 'else' | 'endif' | 'open' | 'bar' | 'close' | 'escape' | 'brace';
  start: number;
  end: number;
  /** Of a placeholder or condition; of a brace the text after it, so that its author can find it. Otherwise empty. */
  key: string;
  fallback: string;
  /** Number of texts that an opened choice has. */
  options: number;
}

/** A closed placeholder, an escape, or what may belong to a choice. A brace before a placeholder is plain text. */
const TOKEN = /\{(?=\{\{[^{}]*\}\})|\{\{([^{}]*)\}\}|\\(?!\{\{[^{}]*\}\})[{|}]|[{|}]/g;
/** The same without choices, in whose notation alone a backslash means something. */
const TOKEN_WITHOUT_CHOICES = /\{(?=\{\{[^{}]*\}\})|\{\{([^{}]*)\}\}|\{/g;
const PLACEHOLDER = /\{\{[^{}]*\}\}/g;
const CONDITION = /^#if\s+(\S.*)$/s;

/** A choice or condition that is not closed yet. */
interface Open {
  mark: Mark;
  /** The bars of a choice, or the `{{else}}` of a condition. */
  between: Mark[];
}

/**
 * Finds the marks of a text in their order, in one pass: `{{key}}`, `{{key|fallback}}`, choices `{a|b}`, conditions
 * `{{#if key}}…{{else}}…{{/if}}`, and `\{`, `\|`, `\}`. Braces without a bar are text, as are all single braces in style and script
 * elements. What is not nested properly is no choice; of a condition it stays as placeholders that no field has.
 * @param hasChoices false where choices are switched off: they and their escapes are text then
 */
export function marksOf(text: string, hasChoices = true): Mark[] {
  const found: (Mark | undefined)[] = [];
  const nesting = new Nesting();
  const isCode = codeAt(text);
  for (const match of text.matchAll(hasChoices ? TOKEN : TOKEN_WITHOUT_CHOICES)) {
    const mark = newMark(match);
    if (mark.role === 'value') nesting.place(mark);
    else if (isCode(mark.start)) mark.role = 'brace';
    else if (hasChoices && mark.role !== 'escape') nesting.punctuate(mark, match[0]);
    found.push(mark);
  }
  return found.flatMap((mark) => (mark === undefined || isPlainText(mark, text) ? [] : [mark]));
}

function newMark({ 0: whole, 1: inside, index: start }: RegExpExecArray): Mark {
  const mark: Mark = { role: 'brace', start, end: start + whole.length, key: '', fallback: '', options: 0 };
  if (inside === undefined) return whole.startsWith('\\') ? { ...mark, role: 'escape' } : mark;
  const bar = inside.indexOf('|');
  if (bar === -1) return { ...mark, role: 'value', key: inside.trim() };
  return { ...mark, role: 'value', key: inside.slice(0, bar).trim(), fallback: inside.slice(bar + 1).trim() };
}

/** A brace or bar of nothing. A brace before another one is kept: the author meant a placeholder, so the text must not go out. */
function isPlainText(mark: Mark, text: string): boolean {
  if (mark.role !== 'brace') return false;
  if (!text.startsWith('{{', mark.start)) return true;
  mark.key = text.slice(mark.start + 2, mark.start + 22).trim();
  return false;
}

/** Gives marks their roles as what they belong to is closed. */
class Nesting {
  readonly #open: Open[] = [];
  #conditions = 0;

  place(mark: Mark): void {
    const isPlain = mark.fallback === '';
    if (isPlain && CONDITION.test(mark.key)) {
      this.#open.push({ mark, between: [] });
      this.#conditions++;
    } else if (isPlain && this.#conditions > 0 && mark.key === 'else') this.#innermostCondition().between.push(mark);
    else if (isPlain && this.#conditions > 0 && mark.key === '/if') this.#closeCondition(mark);
  }

  punctuate(mark: Mark, character: string): void {
    if (character === '{') {
      this.#open.push({ mark, between: [] });
      return;
    }
    const last = this.#open.at(-1);
    if (last?.mark.role !== 'brace') return;
    if (character === '|') last.between.push(mark);
    else {
      this.#open.pop();
      closeChoice(last, mark);
    }
  }

  /** Drops choices that were opened in the condition and not closed. */
  #innermostCondition(): Open {
    while (this.#open.at(-1)?.mark.role === 'brace') this.#open.pop();
    return this.#open.at(-1) as Open;
  }

  #closeCondition(end: Mark): void {
    const { mark, between } = this.#innermostCondition();
    this.#open.pop();
    this.#conditions--;
    Object.assign(mark, { role: 'if', key: CONDITION.exec(mark.key)?.[1] });
    // A second {{else}} stays a placeholder.
    Object.assign(between[0] ?? {}, { role: 'else' });
    end.role = 'endif';
  }
}

function closeChoice({ mark, between }: Open, end: Mark): void {
  if (between.length === 0) return;
  Object.assign(mark, { role: 'open', options: between.length + 1 });
  for (const bar of between) bar.role = 'bar';
  end.role = 'close';
}

/** Answers for ascending offsets if they lie in a style or script element, whose braces are its own. */
function codeAt(text: string): (offset: number) => boolean {
  if (!/<(?:style|script)\b/i.test(text)) return () => false;
  const regions = [...codeRegions(text.replaceAll(PLACEHOLDER, masked))];
  let index = 0;
  return (offset) => {
    while ((regions[index]?.end ?? Infinity) <= offset) index++;
    return offset >= (regions[index]?.start ?? Infinity);
  };
}

function* codeRegions(html: string): Generator<{ start: number; end: number }> {
  let start: number | undefined;
  for (const tag of tagsOf(html)) {
    if (start !== undefined) yield { start, end: tag.start };
    start = !tag.isEnd && (tag.name === 'style' || tag.name === 'script') ? tag.end : undefined;
  }
  if (start !== undefined) yield { start, end: html.length };
}

/** A placeholder as letters of the same length, but for the `?` and `#` of a URL in its fallback: nothing that is markup. */
export const masked = (placeholder: string): string => placeholder.replaceAll(/[^?#]/g, 'x');
