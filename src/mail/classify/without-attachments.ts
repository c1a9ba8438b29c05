import { Buffer } from 'node:buffer';

/** Lines of a base64 body that are kept, enough to tell what it is. */
const MAX_BASE64_LINES = 100;
/** Shorter lines are words, or the end of a body. */
const MIN_LINE_LENGTH = 60;
const NEWLINE = 0x0a;
const RETURN = 0x0d;

/** 1 for each character of base64 (RFC 4648 §4), by its code. */
const IS_BASE64 = Uint8Array.from({ length: 256 }, (_, code) => (/[A-Za-z0-9+/=]/.test(String.fromCharCode(code)) ? 1 : 0));

/**
 * Returns a raw message with only the beginning of each long base64 body, so that text after megabytes of pictures can be read after one
 * pass over the bytes. Lines of base64 are easy to recognize, so this does not parse the MIME structure.
 */
export function withoutAttachments(message: Uint8Array): Uint8Array {
  const source = Buffer.from(message.buffer, message.byteOffset, message.byteLength);
  const kept: Buffer[] = [];
  let run = 0;
  let from = 0;
  for (let start = 0; start < source.length; ) {
    const newline = source.indexOf(NEWLINE, start);
    const end = newline === -1 ? source.length : newline + 1;
    run = isBase64(source, start, end) ? run + 1 : 0;
    if (run === MAX_BASE64_LINES + 1) kept.push(source.subarray(from, start));
    if (run > MAX_BASE64_LINES) from = end;
    start = end;
  }
  if (kept.length === 0) return message;
  return Buffer.concat([...kept, source.subarray(from)]);
}

function isBase64(source: Buffer, start: number, end: number): boolean {
  let last = end;
  while (last > start && (source[last - 1] === NEWLINE || source[last - 1] === RETURN)) last--;
  if (last - start < MIN_LINE_LENGTH) return false;
  for (let at = start; at < last; at++) if (IS_BASE64[source[at] as number] === 0) return false;
  return true;
}
