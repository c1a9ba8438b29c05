import { isUtf8 } from 'node:buffer';
import express, { type Request as ExpressRequest, type Response as ExpressResponse } from 'express';
import { invalid, OutreachError } from '../core/errors.ts';
import { HttpError, TOO_LARGE } from './error-mapping.ts';
import { checkShape } from './input-shape.ts';
import type { Route, RouteMatch } from './routes.ts';

/** The largest body of a request, under /api/v1 and /trpc. */
export const MAX_BODY_BYTES = 5 * 1024 * 1024;
const MAX_PARAMETERS = 100;
const NOT_UTF_8 = 'the body must be UTF-8, plain or compressed with gzip, deflate or br';

/**
 * Reads the query parameters as text. One that is given twice becomes an array, which fails validation. Throws `invalid_request`,
 * also for more than 100 of them.
 */
export function queryFields(req: ExpressRequest): Record<string, unknown> {
  const query = req.url.split('?')[1] ?? '';
  const parameters = [...new URLSearchParams(query)];
  if (parameters.length > MAX_PARAMETERS) throw invalid(`the query: at most ${MAX_PARAMETERS} parameters`);
  const badlyEncoded = isDecodable(query) ? undefined : parameters.find(([, value]) => value.includes('\uFFFD'));
  if (badlyEncoded !== undefined) throw invalid(`${badlyEncoded[0]}: must be well-formed UTF-8`);
  const fields: Record<string, unknown> = {};
  for (const [name, value] of parameters) {
    if (name === '__proto__') throw invalid(`unknown field "${name}"`);
    if (value.includes('\0')) throw invalid(`${name}: must not contain NUL`);
    fields[name] = Object.hasOwn(fields, name) ? [fields[name], value].flat() : value;
  }
  return fields;
}

/** URLSearchParams inserts replacement characters where `decodeURIComponent` throws. */
function isDecodable(query: string): boolean {
  try {
    decodeURIComponent(query);
    return true;
  } catch {
    return false;
  }
}

/**
 * Reads the query parameters of a write: only those that its procedure names, since others would be ignored without notice. Throws
 * `invalid_request`.
 */
export function writeQueryFields(req: ExpressRequest, { meta }: Route): Record<string, unknown> {
  const fields = queryFields(req);
  const unknown = Object.keys(fields).find((name) => !meta.query?.includes(name));
  if (unknown !== undefined) throw invalid(`unknown query parameter "${unknown}"; ${req.method} takes its fields in the body`);
  return fields;
}

const parseJson = express.json({
  limit: MAX_BODY_BYTES,
  strict: false,
  type: () => true,
  // Other bytes would be stored as replacement characters (RFC 8259 §8.1).
  verify: (_req, _res, bytes, encoding) => {
    if (encoding !== 'utf-8') throw new HttpError(415, NOT_UTF_8);
    if (!isUtf8(bytes)) throw invalid('the body is not valid UTF-8');
  },
});

/**
 * Reads the fields of a JSON body, without read-only fields and path parameters, which are ignored. No body means no fields.
 * Throws `invalid_request`, with status 413 for more than 5 MiB and 415 for anything but JSON in UTF-8.
 */
export async function bodyFields(
  req: ExpressRequest,
  res: ExpressResponse,
  { route, params }: RouteMatch,
): Promise<Record<string, unknown>> {
  const isEmpty =
    req.headers['content-length'] === '0' ||
    (req.headers['content-length'] === undefined && req.headers['transfer-encoding'] === undefined);
  if (isEmpty) return {};
  // Checked here because the parser would read all of it first.
  if (Number(req.headers['content-length'] ?? 0) > MAX_BODY_BYTES) throw new HttpError(413, TOO_LARGE);
  const type = (req.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') throw new HttpError(415, 'the body must be JSON, sent with Content-Type: application/json');
  await new Promise<void>((resolve, reject) => parseJson(req, res, (error?: unknown) => (error ? reject(bodyError(error)) : resolve())));
  const body: unknown = req.body;
  // White space only.
  if (body === undefined) return {};
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw invalid('the body must be a JSON object');
  checkShape(body);
  const misplaced = route.meta.query?.find((name) => Object.hasOwn(body, name));
  if (misplaced !== undefined) throw invalid(`unknown field "${misplaced}"; it is a query parameter`);
  const fields = { ...(body as Record<string, unknown>) };
  for (const name of [...(route.meta.readOnly ?? []), ...Object.keys(params)]) delete fields[name];
  return fields;
}

function bodyError(error: unknown): OutreachError {
  if (error instanceof OutreachError) return error;
  const { type } = error as { type?: string };
  if (type === 'entity.too.large') return new HttpError(413, TOO_LARGE);
  if (type === 'encoding.unsupported' || type === 'charset.unsupported') return new HttpError(415, NOT_UTF_8);
  return invalid('the body is not valid JSON');
}
