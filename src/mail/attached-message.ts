import { alternatives, type Draft, headerFields } from './compose.ts';
import { attachmentHeader, base64Lines, boundaryOf, multipartHeader } from './mime.ts';

/** A file that goes with an email. */
export interface AttachedContent {
  name: string;
  /** In bytes. */
  size: number;
  /** Its bytes, in chunks of whole lines of base64: of 57 bytes each, but for the last. May be read several times. */
  read(): AsyncIterable<Buffer>;
}

/** A message with attachments: they are read and encoded while it is sent, so that it never is in memory as a whole. */
export interface AttachedMessage {
  /** Its header and all before the first attachment. */
  start: Buffer;
  /** Of the whole, in bytes. */
  length: number;
  /** The bytes that follow: whole lines. Throws if a file is no longer whole. */
  rest(): AsyncIterable<Buffer>;
}

/** A message as it is sent. */
export type Message = Buffer | AttachedMessage;

/** The bytes of a message. Throws if a file is no longer whole. */
export const wholeMessage = async (message: Message): Promise<Buffer> =>
  Buffer.isBuffer(message) ? message : Buffer.concat([message.start, ...(await Array.fromAsync(message.rest()))]);

/**
 * Composes the message of a draft with files: multipart/mixed (RFC 2046 §5.1.3) of what `composeMessage` makes and of the files, which are
 * base64. Throws UnsafeHeaderError.
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

/** Bytes of a file as lines of base64. */
function encodedLength(size: number): number {
  const digits = 4 * Math.ceil(size / 3);
  return digits + 2 * Math.ceil(digits / 76);
}
