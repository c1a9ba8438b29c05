import { alternatives, type Draft, headerFields } from './compose.ts';
import { attachmentHeader, base64Lines, boundaryOf, multipartHeader } from './mime.ts';

/** A file attached to an email. */
export interface AttachedContent {
  name: string;
  /** In bytes. */
  size: number;
  /**
   * Reads its bytes in chunks that encode to whole lines of base64: multiples of 57 bytes, except the last chunk. May be called several
   * times.
   */
  read(): AsyncIterable<Buffer>;
}

/** A message with attachments. They are read and encoded while it is sent, so the whole message is never in memory. */
export interface AttachedMessage {
  /** The header and everything before the first attachment. */
  start: Buffer;
  /** Length of the whole message, in bytes. */
  length: number;
  /** Yields the bytes that follow `start`, in whole lines. Throws if the length of a file no longer matches its size. */
  rest(): AsyncIterable<Buffer>;
}

/** A message ready to be sent. */
export type Message = Buffer | AttachedMessage;

/** Returns the bytes of a message. Throws if the length of a file no longer matches its size. */
export const wholeMessage = async (message: Message): Promise<Buffer> =>
  Buffer.isBuffer(message) ? message : Buffer.concat([message.start, ...(await Array.fromAsync(message.rest()))]);

/**
 * Composes the message of a draft with attachments: multipart/mixed (RFC 2046 §5.1.3) of the body that `composeMessage` builds and the
 * files in base64. Throws UnsafeHeaderError.
 */
export function composeWithFiles(draft: Draft, files: readonly AttachedContent[]): AttachedMessage {
  const { header, boundary } = multipartHeader('mixed', headerFields(draft), draft.reference);
  const inner = boundaryOf(`${draft.reference} text`);
  const border = `\r\n--${boundary}`;
  const body = `${border}\r\nContent-Type: multipart/alternative;\r\n boundary="${inner}"\r\n\r\n${alternatives(draft, inner)}`;
  const start = Buffer.from(`${header}\r\n${body}`);
  const parts = files.map((file) => ({ head: Buffer.from(`${border.slice(2)}\r\n${attachmentHeader(file.name)}\r\n\r\n`), file }));
  const end = Buffer.from(`${border.slice(2)}--\r\n`);
  const length = parts.reduce((sum, { head, file }) => sum + head.length + encodedLength(file.size), start.length + end.length);
  return { start, length, rest: () => inPieces(parts, end) };
}

async function* inPieces(parts: readonly { head: Buffer; file: AttachedContent }[], end: Buffer): AsyncGenerator<Buffer> {
  for (const { head, file } of parts) {
    yield head;
    let left = file.size;
    for await (const bytes of file.read()) {
      left -= bytes.length;
      yield Buffer.from(base64Lines(bytes), 'latin1');
    }
    if (left !== 0) throw new Error(`the attached file "${file.name}" is gone`);
  }
  yield end;
}

/** Returns the number of bytes that a file takes as lines of base64. */
function encodedLength(size: number): number {
  const digits = 4 * Math.ceil(size / 3);
  return digits + 2 * Math.ceil(digits / 76);
}
