import { tagsOf } from '../../html/tags.ts';

/** Part of a text that is not copied literally. `start` and `end` are offsets into the text. */
export interface Mark {
  /**
   * `value` is a placeholder, valid or not. `if`, `else` and `endif` belong to a condition, `open`, `bar` and `close` to a choice. `brace`
   * begins double braces that are neither a placeholder nor choices.
   */
  role: 'value' | 'if' | 'else' | 'endif' | 'open' | 'bar' | 'close' | 'escape' | 'brace';
  start: number;
  end: number;
  /** Key of a placeholder or condition. For a brace, the text after it, so that its author can find it. Otherwise empty. */
  key: string;
  fallback: string;
  /** Number of texts in the choice that this mark opens. */
  options: number;
}

/** Matches a closed placeholder, an escape, or a character that may belong to a choice. A brace before a placeholder is plain text. */
const TOKEN = /\{(?=\{\{[^{}]*\}\})|\{\{([^{}]*)\}\}|\\(?!\{\{[^{}]*\}\})[{|}]|[{|}]/g;
/** The same without choices and escapes. A backslash has a meaning only in texts with choices. */
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
 * Finds the marks of a text in their order, in one pass: `{{key}}`, `{{key|fallback}}`, choices `{a|b}`, `\{`, `\|`, `\}`, and conditions
 * `{{#if key}}…{{else}}…{{/if}}`.
 * Braces without a bar are text, as are all single braces in style and script elements. A choice that is not nested properly is text. The
 * parts of a condition that is not nested properly remain placeholders with unknown keys.
 * @param hasChoices false if choices are turned off; then choices and their escapes are text
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

/**
 * True for a brace or bar that belongs to nothing. A double brace is not plain text: its author meant a placeholder, so the text must not
 * be sent.
 */
function isPlainText(mark: Mark, text: string): boolean {
  if (mark.role !== 'brace') return false;
  if (!text.startsWith('{{', mark.start)) return true;
  mark.key = text.slice(mark.start + 2, mark.start + 22).trim();
  return false;
}

/** Sets the roles of marks when the choice or condition that they belong to is closed. */
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

/**
 * Returns a function that tells if an offset lies in a style or script element, whose braces are code. Its calls must have ascending
 * offsets.
 */
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

/** Replaces a placeholder by letters of the same length, so that it contains no markup. Keeps the `?` and `#` of a URL in its fallback. */
export const masked = (placeholder: string): string => placeholder.replaceAll(/[^?#]/g, 'x');
