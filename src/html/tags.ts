/** An attribute of a tag; offsets into the document. */
export interface Attribute {
  /** In lower case. */
  name: string;
  /** From its name to the end of its value, quotes included. */
  start: number;
  end: number;
  /** The value without its quotes; empty, at the end of the name, for an attribute without one. */
  valueStart: number;
  valueEnd: number;
  isQuoted: boolean;
}

/** A start or end tag; offsets into the document. */
export interface Tag {
  /** In lower case. */
  name: string;
  isEnd: boolean;
  /** False for a tag that the document ends in, which no reader shows. */
  isClosed: boolean;
  start: number;
  end: number;
  attributes: Attribute[];
}

/** Elements whose content is text up to their end tag (HTML §13.2.5.2 to §13.2.5.4). */
const TEXT_ONLY = new Set(['script', 'style', 'textarea', 'title', 'xmp', 'iframe', 'noembed', 'noframes']);

const LETTER = /[a-z]/i;
const NAME_END = /[\s/>]|$/g;
const ATTRIBUTE_START = /[^\s/]|$/g;
const ATTRIBUTE_NAME_END = /[\s/>=]|$/g;
const NO_SPACE = /[^\s]|$/g;
const UNQUOTED_END = /[\s>]|$/g;
const COMMENT_END = /--!?>|$/g;

/** The offset of the first match at or after `from`; the patterns match at the end of the text at the latest. */
function find(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? text.length;
}

/**
 * Finds the tags of an HTML document as the tokenizer of a browser does (HTML §13.2.5), in one pass and without a tree, so that
 * the cost is linear whatever the document. Comments and the content of elements that hold text only have no tags.
 */
export function* tagsOf(html: string): Generator<Tag> {
  for (let at = html.indexOf('<'); at !== -1; at = html.indexOf('<', at)) {
    const isEnd = html[at + 1] === '/';
    const nameStart = at + (isEnd ? 2 : 1);
    if (!LETTER.test(html[nameStart] ?? '')) {
      at = isEnd || /[!?]/.test(html[nameStart] ?? '') ? markupEnd(html, at) : at + 1;
      continue;
    }
    const tag = readTag(html, at, nameStart, isEnd);
    yield tag;
    at = !isEnd && TEXT_ONLY.has(tag.name) ? textEnd(html, tag) : tag.end;
    if (!isEnd && tag.name === 'plaintext') return;
  }
}

/** The end of a comment, a doctype or anything else in angle brackets that is no tag. */
function markupEnd(html: string, start: number): number {
  if (!html.startsWith('<!--', start)) return end(html.indexOf('>', start + 2), html, 1);
  // `<!-->` and `<!--->` are whole comments.
  if (html[start + 4] === '>') return start + 5;
  if (html.startsWith('->', start + 4)) return start + 6;
  const at = find(COMMENT_END, html, start + 4);
  return end(html.indexOf('>', at), html, 1);
}

const end = (at: number, html: string, length: number) => (at === -1 ? html.length : at + length);

/** The start of the end tag of an element that holds text only. */
function textEnd(html: string, { name, end: from }: Tag): number {
  const close = new RegExp(`</${name}(?=[\\s/>])|$`, 'gi');
  return find(close, html, from);
}

function readTag(html: string, start: number, nameStart: number, isEnd: boolean): Tag {
  const nameEnd = find(NAME_END, html, nameStart);
  const attributes: Attribute[] = [];
  let at = nameEnd;
  for (;;) {
    at = find(ATTRIBUTE_START, html, at);
    const isClosed = html[at] === '>';
    if (isClosed || at >= html.length) {
      const name = html.slice(nameStart, nameEnd).toLowerCase();
      return { name, isEnd, isClosed, start, end: isClosed ? at + 1 : html.length, attributes };
    }
    const attribute = readAttribute(html, at);
    attributes.push(attribute);
    at = attribute.end;
  }
}

function readAttribute(html: string, start: number): Attribute {
  // A name may begin with an equals sign.
  const nameEnd = find(ATTRIBUTE_NAME_END, html, start + 1);
  const name = html.slice(start, nameEnd).toLowerCase();
  const equals = find(NO_SPACE, html, nameEnd);
  if (html[equals] !== '=') return { name, start, end: nameEnd, valueStart: nameEnd, valueEnd: nameEnd, isQuoted: false };
  const at = find(NO_SPACE, html, equals + 1);
  const quote = html[at];
  if (quote !== '"' && quote !== "'") {
    const valueEnd = find(UNQUOTED_END, html, at);
    return { name, start, end: valueEnd, valueStart: at, valueEnd, isQuoted: false };
  }
  const close = html.indexOf(quote, at + 1);
  const valueEnd = close === -1 ? html.length : close;
  return { name, start, end: Math.min(valueEnd + 1, html.length), valueStart: at + 1, valueEnd, isQuoted: true };
}
