import { QuoteType, Tokenizer, type TokenizerCallbacks } from 'htmlparser2';

/** An attribute of a start tag, with offsets in the document. */
export interface Attribute {
  /** In lower case. */
  name: string;
  /** With its character references decoded; empty for an attribute without a value. */
  value: string;
  /** From its name to the end of its value, quotes included. */
  start: number;
  end: number;
  /** The raw value, without its quotes. For an attribute without a value, an empty range at the end of the name. */
  valueStart: number;
  valueEnd: number;
  isQuoted: boolean;
}

/** A start or end tag, with offsets in the document. */
export interface Tag {
  /** In lower case. */
  name: string;
  isEnd: boolean;
  start: number;
  end: number;
  /** The attributes of a start tag, in the order of the document. A name may occur several times; browsers take the first. */
  attributes: Attribute[];
}

/** Characters read at a time, so that callers who stop early save the rest. */
const CHUNK = 1 << 16;
const BEFORE_VALUE = /\s*=\s*["']?/y;

/**
 * Finds the tags of an HTML document like the tokenizer of a browser (HTML §13.2.5). Skips comments, the content of elements that contain
 * only text, and an incomplete tag at the end. The time is linear for any document: unlike htmlparser2's Parser, its Tokenizer keeps no
 * stack of open elements.
 * @param withOutlook also finds tags in conditional comments, `<!--[if mso]>…<![endif]-->`, which Outlook reads as a part of the document
 */
export function* tagsOf(html: string, { withOutlook = false } = {}): Generator<Tag> {
  const reader = new TagReader(html, withOutlook);
  const tokenizer = new Tokenizer({}, reader);
  // The tokenizer treats everything up to `]]>` as a CDATA section. In HTML, it is a comment that ends at the next `>` (§13.2.5.42).
  const source = html.replaceAll('<![CDATA[', '<!*CDATA[');
  for (let at = 0; at < source.length; at += CHUNK) {
    tokenizer.write(source.slice(at, at + CHUNK));
    yield* reader.take();
  }
}

/** The beginning and end of a conditional comment between its `<!--` and `-->`. */
const CONDITION = /^\[if [^\]]{1,100}\]>/;
const CONDITION_END = '<![endif]';

/** Collects the tags that the tokenizer reports. */
class TagReader implements TokenizerCallbacks {
  readonly #html: string;
  readonly #withOutlook: boolean;
  #found: Tag[] = [];
  #tag: Tag = { name: '', isEnd: false, start: 0, end: 0, attributes: [] };
  #nameStart = 0;
  #nameEnd = 0;
  #value = '';

  constructor(html: string, withOutlook: boolean) {
    this.#html = html;
    this.#withOutlook = withOutlook;
  }

  /** The tags found since the last call. */
  take(): Tag[] {
    const found = this.#found;
    this.#found = [];
    return found;
  }

  onopentagname(start: number, end: number): void {
    this.#tag = { name: this.#lower(start, end), isEnd: false, start: start - 1, end, attributes: [] };
  }

  onattribname(start: number, end: number): void {
    this.#nameStart = start;
    this.#nameEnd = end;
    this.#value = '';
  }

  onattribdata(start: number, end: number): void {
    this.#value += this.#html.slice(start, end);
  }

  onattribentity(codePoint: number): void {
    this.#value += String.fromCodePoint(codePoint);
  }

  onattribend(quote: QuoteType, end: number): void {
    const isQuoted = quote === QuoteType.Single || quote === QuoteType.Double;
    const hasValue = quote !== QuoteType.NoValue;
    BEFORE_VALUE.lastIndex = this.#nameEnd;
    if (hasValue) BEFORE_VALUE.test(this.#html);
    this.#tag.attributes.push({
      name: this.#lower(this.#nameStart, this.#nameEnd),
      value: this.#value,
      start: this.#nameStart,
      end: hasValue ? end : this.#nameEnd,
      valueStart: BEFORE_VALUE.lastIndex,
      valueEnd: hasValue ? end - Number(isQuoted) : this.#nameEnd,
      isQuoted,
    });
  }

  onopentagend(last: number): void {
    this.#found.push({ ...this.#tag, end: last + 1 });
  }

  onselfclosingtag(last: number): void {
    this.onopentagend(last);
  }

  onclosetag(start: number, end: number): void {
    const last = this.#html.indexOf('>', end);
    if (last !== -1) this.#found.push({ name: this.#lower(start, end), isEnd: true, start: start - 2, end: last + 1, attributes: [] });
  }

  oncdata(): void {}

  oncomment(start: number, end: number, endOffset: number): void {
    const comment = this.#withOutlook ? this.#html.slice(start, end - endOffset) : '';
    const [condition] = CONDITION.exec(comment) ?? [];
    if (condition === undefined || !comment.endsWith(CONDITION_END)) return;
    const shift = start + condition.length;
    for (const tag of tagsOf(comment.slice(condition.length, -CONDITION_END.length))) this.#found.push(shifted(tag, shift));
  }

  ondeclaration(): void {}
  onend(): void {}
  onprocessinginstruction(): void {}
  ontext(): void {}
  ontextentity(): void {}

  #lower(start: number, end: number): string {
    return this.#html.slice(start, end).toLowerCase();
  }
}

/** Shifts the offsets of a tag that was found in a part of the document. @param by offset of that part */
const shifted = (tag: Tag, by: number): Tag => ({
  ...tag,
  start: tag.start + by,
  end: tag.end + by,
  attributes: tag.attributes.map((attribute) => ({
    ...attribute,
    start: attribute.start + by,
    end: attribute.end + by,
    valueStart: attribute.valueStart + by,
    valueEnd: attribute.valueEnd + by,
  })),
});
