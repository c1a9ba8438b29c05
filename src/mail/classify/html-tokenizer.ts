import { Tokenizer } from 'htmlparser2';

/** The part of htmlparser2's tokenizer that it calls private. */
interface Inner {
  readonly buffer: string;
  /** Of the buffer in all that was written. */
  readonly offset: number;
  readonly cbs: ConstructorParameters<typeof Tokenizer>[1];
  index: number;
  state: number;
  sectionStart: number;
  stateText(code: number): void;
  stateBeforeTagName(code: number): void;
}

const LESS_THAN = 0x3c;
const AMPERSAND = 0x26;
const SLASH = 0x2f;
const GREATER_THAN = 0x3e;

/** The name of an element with tags in it. Not of one with plain text, whose end is looked for in another way. */
const NAME = /(?!script|style|title|textarea|xmp)[a-z][a-z0-9]*/iy;
/** The rest of a start tag; not of one that closes itself. */
const ATTRIBUTES = /(?:[ \n\t\f\r]+[^ \n\t\f\r=/>]+(?:=(?:"[^"]*"|'[^']*'|[^ \n\t\f\r"'>][^ \n\t\f\r>]*))?)*[ \n\t\f\r]*>/y;

const Base = Tokenizer as unknown as new (...given: ConstructorParameters<typeof Tokenizer>) => Inner;

class Skipping extends Base {
  /** The state in a text, which it begins with. */
  readonly #inText = this.state;
  /** Index in the buffer of the next ampersand. */
  #ampersand = -1;

  /** Called with each character of a text. */
  override stateText(code: number): void {
    if (code === LESS_THAN || code === AMPERSAND) super.stateText(code);
    else this.index = this.offset + this.#markAfter(this.index - this.offset) - 1;
  }

  /** Called with the character after `<`. */
  override stateBeforeTagName(code: number): void {
    const start = this.index - this.offset + (code === SLASH ? 1 : 0);
    const nameEnd = endOf(NAME, this.buffer, start);
    const end = this.buffer.charCodeAt(nameEnd) === GREATER_THAN || code === SLASH ? nameEnd + 1 : endOf(ATTRIBUTES, this.buffer, nameEnd);
    if (nameEnd === 0 || this.buffer.charCodeAt(end - 1) !== GREATER_THAN) super.stateBeforeTagName(code);
    else this.#take(code === SLASH, start + this.offset, nameEnd + this.offset, end + this.offset);
  }

  /** Takes a whole tag, of which nobody asks for the attributes. */
  #take(isEndTag: boolean, start: number, nameEnd: number, end: number): void {
    if (isEndTag) this.cbs.onclosetag(start, nameEnd);
    else {
      this.cbs.onopentagname(start, nameEnd);
      this.cbs.onopentagend(end - 1);
    }
    this.index = end - 1;
    this.sectionStart = end;
    this.state = this.#inText;
  }

  #markAfter(at: number): number {
    if (this.#ampersand < at) this.#ampersand = found(this.buffer, '&', at);
    return Math.min(this.#ampersand, found(this.buffer, '<', at));
  }
}

/** Index after what a pattern matches there; 0 where it does not match. */
function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  pattern.test(text);
  return pattern.lastIndex;
}

const found = (text: string, sign: string, from: number): number => {
  const at = text.indexOf(sign, from);
  return at === -1 ? text.length : at;
};

/**
 * htmlparser2's tokenizer, for its option `Tokenizer`, without a step for each character: it goes on to the next tag or entity, and takes
 * most tags as a whole. `test/mail/htmlparser2-upgrade.test.ts` holds what we rely on.
 */
export const SkippingTokenizer = Skipping as unknown as typeof Tokenizer;
