import { randomBytes } from 'node:crypto';

/** In each process another, so that no template and no value has it. */
const NONCE = `mark${randomBytes(12).toString('hex')}x`;
/** A value's mark has what HTML escapes and URLs encode, what is escaped only in a tag, and what would end an attribute without quotes. */
export const valueMark = (slot: number) => `< =${NONCE}${slot}>`;
/** A URL's mark without its scheme has only characters that stay as they are, but in a tag or a query. */
export const urlMark = (slot: number) => `mark.invalid/=${NONCE}${slot}.`;
export const MARK_IN_TEXT = new RegExp(`(?:< =|mark\\.invalid/=)${NONCE}(\\d+)[>.]`);
export const MARK_IN_HTML = new RegExp(`(?:&lt; =|mark\\.invalid/=)${NONCE}(\\d+)(?:&gt;|\\.)`);

/** Tells if a text has marks, or what became of them. */
export const isMarked = (text: string): boolean => text.toLowerCase().includes(NONCE);

/** A text with marks, taken apart at them. */
export class MarkedText {
  /** The texts before each mark. */
  readonly before: string[] = [];
  readonly slots: number[] = [];
  readonly #end: string;

  constructor(text: string, mark: RegExp) {
    const parts = text.split(mark);
    for (let at = 0; at + 1 < parts.length; at += 2) {
      this.before.push(parts[at] ?? '');
      this.slots.push(Number(parts[at + 1]));
    }
    this.#end = parts.at(-1) ?? '';
  }

  /** False where a mark was changed by what it stands in. */
  get isWhole(): boolean {
    return ![...this.before, this.#end].some(isMarked);
  }

  fill(values: readonly string[]): string {
    let text = '';
    for (let at = 0; at < this.slots.length; at++) text += `${this.before[at]}${values[this.slots[at] as number]}`;
    return text + this.#end;
  }
}
