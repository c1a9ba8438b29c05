import { Tokenizer } from 'htmlparser2';

/** The part of htmlparser2's tokenizer that it calls private. */
interface Inner {
  readonly buffer: string;
  /** Of the buffer in all that was written. */
  readonly offset: number;
  index: number;
  stateText(code: number): void;
}

const LESS_THAN = 0x3c;
const AMPERSAND = 0x26;

const Base = Tokenizer as unknown as new (...given: ConstructorParameters<typeof Tokenizer>) => Inner;

class Skipping extends Base {
  /** Index in the buffer of the next ampersand. */
  #ampersand = -1;

  /** Called with each character of a text. */
  override stateText(code: number): void {
    if (code === LESS_THAN || code === AMPERSAND) super.stateText(code);
    else this.index = this.offset + this.#markAfter(this.index - this.offset) - 1;
  }

  #markAfter(at: number): number {
    if (this.#ampersand < at) this.#ampersand = found(this.buffer, '&', at);
    return Math.min(this.#ampersand, found(this.buffer, '<', at));
  }
}

const found = (text: string, sign: string, from: number): number => {
  const at = text.indexOf(sign, from);
  return at === -1 ? text.length : at;
};

/**
 * htmlparser2's tokenizer, for its option `Tokenizer`, without a step for each character of a text: it goes on to the next tag or entity.
 * `test/mail/htmlparser2-upgrade.test.ts` holds what we rely on.
 */
export const SkippingTokenizer = Skipping as unknown as typeof Tokenizer;
