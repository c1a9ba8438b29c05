import PostalMime, { type Attachment, type Email, type Header, type PostalMimeOptions } from 'postal-mime';

/** The parts of a parsed message that are read. */
export type MimeContent = Pick<Email, 'headers' | 'text' | 'html' | 'attachments'>;

interface Decoder {
  chunks: (Uint8Array | ArrayBuffer | string)[];
  flushBuffer?(): void;
  flushRemainder?(): void;
  finalize(): ArrayBuffer | Promise<ArrayBuffer>;
}

interface Node {
  headers: Header[];
  contentDecoder: Decoder;
  setupContentDecoder(encoding: string): void;
  feed(line: Uint8Array): void;
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const DASH = 0x2d;

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
    return { headers: this.root.headers, ...(text && { text }), ...(html && { html }), attachments: this.attachments };
  }
}

function endOfLine(bytes: Uint8Array, start: number, end: number): number {
  let last = end;
  while (last > start && bytes[last - 1] === CARRIAGE_RETURN) last--;
  return last;
}

function setupContentDecoder(this: Node, encoding: string): void {
  (Object.getPrototypeOf(this) as Node).setupContentDecoder.call(this, encoding);
  this.contentDecoder.finalize = joined;
}

/** The bytes of a part; its lines are chunks with a chunk of one line feed, as a string, after each. */
function joined(this: Decoder): ArrayBuffer {
  this.flushBuffer?.();
  this.flushRemainder?.();
  const chunks = this.chunks.map((chunk) => (chunk instanceof ArrayBuffer ? new Uint8Array(chunk) : chunk));
  const bytes = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    if (typeof chunk === 'string') bytes[at] = LINE_FEED;
    else bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes.buffer;
}

/** Parses a MIME message. Throws an Error where it exceeds a limit of the options. */
export const parseMime = (bytes: Uint8Array, options: PostalMimeOptions): Promise<MimeContent> => new MimeParser(options).parse(bytes);
