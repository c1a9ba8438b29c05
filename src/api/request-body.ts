import { isUtf8 } from 'node:buffer';
import express, { type Request as ExpressRequest, type Response as ExpressResponse } from 'express';
import { grouped } from '../core/english.ts';
import { invalid, OutreachError } from '../core/errors.ts';
import { HttpError, NOT_JSON, TOO_LARGE } from './error-mapping.ts';

/** Maximum size of a request body in bytes, under /api/v1 and /trpc. */
const MAX_BYTES = 5 * 1024 * 1024;
/** Maximum number of values: an empty array takes two bytes of a body but forty of memory. */
const MAX_VALUES = 100_000;
const NOT_UTF_8 = 'the body must be UTF-8, plain or compressed with gzip, deflate or br';

const receive = express.text({
  limit: MAX_BYTES,
  type: () => true,
  verify: (_req, _res, bytes, encoding) => {
    if (encoding !== 'utf-8') throw new HttpError(415, NOT_UTF_8);
    // Other bytes would be stored as replacement characters (RFC 8259 §8.1).
    if (!isUtf8(bytes)) throw invalid('the body is not valid UTF-8');
    if (bytes.length > MAX_VALUES && valuesIn(bytes) > MAX_VALUES) throw invalid(`the body: at most ${grouped(MAX_VALUES)} values`);
  },
});

/**
 * Reads a JSON body as text; empty if there is none. Throws `invalid_request`, with status 413 for more than 5 MiB and 415 for
 * anything but JSON in UTF-8. Does not parse a body that it refuses, and reads no more of it than needed.
 */
export async function bodyText(req: ExpressRequest, res: ExpressResponse): Promise<string> {
  const { 'content-length': length, 'transfer-encoding': coding, 'content-type': contentType = '' } = req.headers;
  if (length === '0' || (length === undefined && coding === undefined)) return '';
  // Check this here, because the parser would read the whole body first.
  if (Number(length ?? 0) > MAX_BYTES) throw new HttpError(413, TOO_LARGE);
  if (contentType.split(';')[0]?.trim().toLowerCase() !== 'application/json') throw new HttpError(415, NOT_JSON);
  await new Promise<void>((resolve, reject) => receive(req, res, (error?: unknown) => (error ? reject(bodyError(error)) : resolve())));
  return String(req.body ?? '');
}

function bodyError(error: unknown): OutreachError {
  if (error instanceof OutreachError) return error;
  const { type } = error as { type?: string };
  if (type === 'entity.too.large') return new HttpError(413, TOO_LARGE);
  if (type === 'encoding.unsupported' || type === 'charset.unsupported') return new HttpError(415, NOT_UTF_8);
  return invalid('the body could not be read');
}

const [QUOTE, COMMA, BACKSLASH, ARRAY, OBJECT] = [...'",\\[{'].map((character) => character.charCodeAt(0));

/** Estimates the number of values in a JSON text, never too low, by counting commas and the starts of arrays and objects. */
function valuesIn(bytes: Buffer): number {
  let values = 1;
  let isText = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) isText = !isText;
    else if (isText && byte === BACKSLASH) at++;
    else if (!isText && (byte === COMMA || byte === ARRAY || byte === OBJECT)) values++;
  }
  return values;
}
