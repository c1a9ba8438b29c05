import type { Request as ExpressRequest, Response as ExpressResponse } from 'express';
import { isSameAddress } from '../core/email-address.ts';
import { invalid } from '../core/errors.ts';
import { checkShape } from './input-shape.ts';
import { bodyText } from './request-body.ts';
import type { Route, RouteMatch } from './routes.ts';

const MAX_PARAMETERS = 100;

/**
 * Reads the query parameters as text. A repeated one becomes an array, which fails validation. Throws `invalid_request`,
 * also for more than 100 parameters.
 */
export function queryFields(req: ExpressRequest): Record<string, unknown> {
  const query = req.url.split('?')[1] ?? '';
  const parameters = [...new URLSearchParams(query)];
  if (parameters.length > MAX_PARAMETERS) throw invalid(`the query: at most ${MAX_PARAMETERS} parameters`);
  const badlyEncoded = isDecodable(query) ? undefined : parameters.find(([, value]) => value.includes('\uFFFD'));
  if (badlyEncoded !== undefined) throw invalid(`${badlyEncoded[0]}: must be well-formed UTF-8`);
  const fields: Record<string, unknown> = {};
  for (const [name, value] of parameters) {
    if (name === '__proto__') throw invalid(`unknown query parameter "${name}"`);
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
 * Reads the query parameters of a write: only those that its procedure names, because others would be ignored silently. Throws
 * `invalid_request`.
 */
export function writeQueryFields(req: ExpressRequest, { meta }: Route): Record<string, unknown> {
  const fields = queryFields(req);
  const unknown = Object.keys(fields).find((name) => !meta.query?.includes(name));
  if (unknown !== undefined) throw invalid(`unknown query parameter "${unknown}"; ${req.method} takes its fields in the body`);
  return fields;
}

/**
 * Reads the fields of a JSON body, without read-only fields and path parameters, which are ignored. No body means no fields.
 * Throws `invalid_request`, as `bodyText` does too.
 */
export async function bodyFields(
  req: ExpressRequest,
  res: ExpressResponse,
  { route, params }: RouteMatch,
): Promise<Record<string, unknown>> {
  const text = await bodyText(req, res);
  if (text.trim() === '') return {};
  const body = parsed(text);
  if (!isObject(body)) throw invalid('the body must be a JSON object');
  checkShape(body);
  const misplaced = route.meta.query?.find((name) => Object.hasOwn(body, name));
  if (misplaced !== undefined) throw invalid(`unknown field "${misplaced}"; it is a query parameter`);
  if (params.email !== undefined && Object.hasOwn(body, 'email')) requireSameAddress((body as { email: unknown }).email, params.email);
  const { rows, readOnly = [] } = route.meta;
  const fields = without(body, Object.keys(params));
  if (rows === undefined) return without(fields, readOnly);
  const given = fields[rows];
  if (!Array.isArray(given)) return fields;
  return { ...fields, [rows]: given.map((row: unknown) => (isObject(row) ? without(row, readOnly) : row)) };
}

/** Throws `invalid_request` if the body has another address than the path, because the client expects it to be stored. */
function requireSameAddress(given: unknown, inPath: string): void {
  if (typeof given !== 'string' || !isSameAddress(given, inPath))
    throw invalid('email: must be that of the path; to change the email of a contact, use PATCH /contacts/{id}');
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value);

const without = (fields: object, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid('the body is not valid JSON');
  }
}
