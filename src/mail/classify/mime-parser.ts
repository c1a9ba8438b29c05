import { Buffer } from 'node:buffer';
import PostalMime, { type Attachment, type Email, type Header, type PostalMimeOptions } from 'postal-mime';

/** The parts of a parsed message that are read. */
export type MimeContent = Pick<Email, 'headers' | 'text' | 'html' | 'attachments'>;

interface Decoder {
  chunks: (Uint8Array | ArrayBuffer | string)[];
  flushRemainder?(): void;
  finalize(): Uint8Array | Promise<ArrayBuffer>;
}

interface Node {
  headers: Header[];
  contentDecoder: Decoder;
  setupContentDecoder(encoding: string): void;
  feed(line: Uint8Array): void;
  stripComments(value: string): string;
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const DASH = 0x2d;
const EQUALS = 0x3d;
/** The value of each byte as a hexadecimal digit, or -1. */
const DIGITS = Int8Array.from({ length: 256 }, (_, code) => '0123456789abcdef'.indexOf(String.fromCharCode(code).toLowerCase()));

/**
 * postal-mime without what costs most and is not read: a Blob for each part, which is written and read again to join its lines, a step for
 * each character and a promise for each line, and the addresses and date of the header. It promises none of the members used here;
 * `test/mail/postal-mime-upgrade.test.ts` holds what we rely on.
 */
class MimeParser extends PostalMime {
  declare readonly root: Node;
  declare readonly textContent: { plain?: string; html?: string };
  declare readonly attachments: Attachment[];
  declare readonly processLine: (line: Uint8Array, isLast: boolean) => Promise<void>;
  declare node: Node;

  get currentNode(): Node {
    return this.node;
  }

  /** Set for each part that begins, and again when it ends. */
  set currentNode(node: Node) {
    node.setupContentDecoder = setupContentDecoder;
    node.stripComments = stripComments;
    this.node = node;
  }

  /** Its lines are read here; what they make is collected as of a message that has none left. */
  override async parse(bytes: Uint8Array): Promise<Email> {
    for (let start = 0; start < bytes.length; ) {
      const feed = bytes.indexOf(LINE_FEED, start);
      const next = feed === -1 ? bytes.length : feed + 1;
      const line = bytes.subarray(start, endOfLine(bytes, start, feed === -1 ? next : feed));
      // Only these may begin or end a part.
      if (line[0] === DASH || next === bytes.length) await this.processLine(line, next === bytes.length);
      else this.currentNode.feed(line);
      start = next;
    }
    return super.parse(new ArrayBuffer(0));
  }

  buildMessage(): MimeContent {
    const { plain: text, html } = this.textContent;
    return { headers: this.root.headers, text: text || undefined, html: html || undefined, attachments: this.attachments };
  }
}

function endOfLine(bytes: Uint8Array, start: number, end: number): number {
  let last = end;
  while (last > start && bytes[last - 1] === CARRIAGE_RETURN) last--;
  return last;
}

/** Its decoder of quoted-printable makes a buffer of 100 KB for each part, so such lines are kept as they are until the part ends. */
function setupContentDecoder(this: Node, encoding: string): void {
  const isQuoted = encoding.includes('quoted-printable') && !encoding.includes('base64');
  (Object.getPrototypeOf(this) as Node).setupContentDecoder.call(this, isQuoted ? '8bit' : encoding);
  this.contentDecoder.finalize = isQuoted ? unquoted : joined;
}

/** Most values have no comment and are not copied. */
function stripComments(this: Node, value: string): string {
  return value.includes('(') ? (Object.getPrototypeOf(this) as Node).stripComments.call(this, value) : value;
}

/** The bytes of a part; its lines are chunks with a chunk of one line feed, as a string, after each. */
function joined(this: Decoder): Uint8Array {
  this.flushRemainder?.();
  // Shares its memory with others where it is small.
  const bytes = Buffer.allocUnsafe(this.chunks.reduce((sum, chunk) => sum + lengthOf(chunk), 0));
  let at = 0;
  for (const chunk of this.chunks) {
    if (typeof chunk === 'string') bytes[at] = LINE_FEED;
    else bytes.set(chunk instanceof ArrayBuffer ? new Uint8Array(chunk) : chunk, at);
    at += lengthOf(chunk);
  }
  return bytes;
}

/** The bytes of a part in quoted-printable (RFC 2045 §6.7); an equals sign that means nothing stays. */
function unquoted(this: Decoder): Uint8Array {
  const bytes = joined.call(this);
  let length = 0;
  for (let at = 0; at < bytes.length; ) {
    const isEscape = bytes[at] === EQUALS;
    const value = isEscape ? numberAt(bytes, at + 1) : -1;
    if (isEscape && bytes[at + 1] === LINE_FEED) at += 2;
    else {
      bytes[length++] = value < 0 ? (bytes[at] as number) : value;
      at += value < 0 ? 1 : 3;
    }
  }
  return bytes.subarray(0, length);
}

/** The number that two hexadecimal digits stand for; less than 0 where they are none. */
const numberAt = (bytes: Uint8Array, at: number) => ((DIGITS[bytes[at] ?? 0] as number) << 4) | (DIGITS[bytes[at + 1] ?? 0] as number);

const lengthOf = (chunk: Uint8Array | ArrayBuffer | string) => (chunk instanceof ArrayBuffer ? chunk.byteLength : chunk.length);

/** Parses a MIME message. Throws an Error where it exceeds a limit of the options. */
export const parseMime = (bytes: Uint8Array, options: PostalMimeOptions): Promise<MimeContent> => new MimeParser(options).parse(bytes);
