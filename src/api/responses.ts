import { untrusted } from '../fields/fields.ts';
import type { SchemaObject } from './examples.ts';
import type { Operation } from './operation.ts';
import { isConditional } from './preconditions.ts';
import type { Route } from './routes.ts';

/** The errors of the API by status: when they occur, their code, and an example of the message. */
const ERRORS: Record<number, { name: string; when: string; code: string; example: string }> = {
  400: {
    name: 'BadRequest',
    when: 'A missing or invalid field or parameter',
    code: 'invalid_request',
    example: 'limit: must be at most 200',
  },
  401: {
    name: 'Unauthorized',
    when: 'A missing, malformed, revoked or expired key',
    code: 'unauthorized',
    example: 'a valid API key is required: Authorization: Bearer <API_KEY>',
  },
  403: {
    name: 'Forbidden',
    when: 'The role of the key does not allow this',
    code: 'forbidden',
    example: 'a view_only key can read but not change anything',
  },
  404: { name: 'NotFound', when: 'No such resource, or the caller may not see it', code: 'not_found', example: 'campaign not found' },
  409: {
    name: 'Conflict',
    when: 'The Idempotency-Key was used for another request',
    code: 'conflict',
    example: 'this Idempotency-Key was used for another request; take a new key for each',
  },
  412: {
    name: 'PreconditionFailed',
    when: 'If-Match does not name the present state of the resource',
    code: 'invalid_request',
    example: 'If-Match: the resource has changed since; read it again',
  },
  413: { name: 'TooLarge', when: 'The body is larger than 5 MiB', code: 'invalid_request', example: 'the body is larger than 5 MiB' },
  415: {
    name: 'NotJson',
    when: 'The body is not JSON',
    code: 'invalid_request',
    example: 'the body must be JSON, sent with Content-Type: application/json',
  },
  429: {
    name: 'TooManyRequests',
    when: 'The key has too much in flight; retrying after `Retry-After` seconds is safe',
    code: 'too_many_requests',
    example: 'this key has 200 requests in flight, of at most 200; wait until some have ended',
  },
  500: {
    name: 'ServerError',
    when: 'An error on the server; retrying is safe',
    code: 'internal_error',
    example: 'something went wrong on the server; the request can be tried again',
  },
};

/** When they occur for an operation that takes a file. */
const UPLOAD_ERRORS: Record<number, string> = { 413: 'The file is too large', 415: 'The body is not a form of multipart/form-data' };

/** The envelope of every error. */
export const ERROR_SCHEMA = {
  type: 'object' as const,
  required: ['error'],
  additionalProperties: false,
  properties: {
    error: {
      type: 'object' as const,
      required: ['code', 'message'],
      additionalProperties: false,
      properties: {
        code: { type: 'string' as const, enum: [...new Set(Object.values(ERRORS).map(({ code }) => code))] },
        message: { type: 'string' as const },
        server_said: {
          type: 'string' as const,
          description: 'What an outside server said, in the message too: words of strangers',
          ...untrusted,
        },
      },
    },
  },
};

/** Documents every response of an operation, each with an example. @param schema of the body on success */
export function responsesOf(route: Route, schema: SchemaObject | undefined, example: unknown): Operation['responses'] {
  const { status = 200, otherStatus, errors = {}, upload } = route.meta;
  const headers =
    route.method === 'POST'
      ? {
          'Idempotent-Replayed': {
            description: 'true: the stored response of an earlier request',
            schema: { type: 'string', const: 'true' },
          },
        }
      : route.method === 'GET' && route.meta.download === undefined
        ? { ETag: { $ref: '#/components/headers/ETag' } }
        : undefined;
  const own = ownHeaders(route.meta.headers);
  const types = route.meta.download === undefined ? ['application/json'] : Object.values(route.meta.download);
  const content = schema === undefined ? undefined : Object.fromEntries(types.map((type) => [type, { schema, example }]));
  const success = (description: string) => ({ description, ...(headers && { headers }), ...(content && { content }) });
  const described: Record<number, string | undefined> = errors;
  return {
    ...(otherStatus === undefined ? {} : { [otherStatus]: success('It existed already') }),
    [status]: status === 204 ? { description: 'Done; no body', ...(own && { headers: own }) } : success(status === 201 ? 'Created' : 'OK'),
    ...Object.fromEntries(errorsOf(route).map((code) => [code, errorResponse(code, described[code] ?? (upload && UPLOAD_ERRORS[code]))])),
  };
}

const ownHeaders = (described: Readonly<Record<string, string>> | undefined) =>
  described &&
  Object.fromEntries(
    Object.entries(described).map(([name, description]) => [name, { description, schema: { type: 'string', const: 'true' } }]),
  );

/** The error statuses of an operation: those that its access, path and method imply, and those that its metadata adds. */
function errorsOf({ method, meta, path }: Route): number[] {
  const { access = 'read', errors = {} } = meta;
  return [
    ...[400, 401, 429, 500],
    ...(access === 'read' ? [] : [403]),
    ...(isConditional(method) ? [412] : []),
    ...(path.includes('{') || errors[404] !== undefined ? [404] : []),
    ...(method === 'POST' || errors[409] !== undefined ? [409] : []),
    ...(method === 'GET' ? [] : [413, 415]),
  ];
}

const ERROR_HEADERS: Record<number, object> = {
  401: { 'WWW-Authenticate': { description: 'Always Bearer', schema: { type: 'string', const: 'Bearer' } } },
  429: { 'Retry-After': { description: 'Seconds', schema: { type: 'integer' } } },
};

/** An error of one status: the shared one, unless the operation has something to add. */
function errorResponse(status: number, reason: string | undefined): object {
  const { name = '', when = '' } = ERRORS[status] ?? {};
  if (reason === undefined) return { $ref: `#/components/responses/${name}` };
  return { ...sharedError(status), description: status === 409 ? `${reason}; or: ${when}` : reason };
}

const ERROR = { $ref: '#/components/schemas/Error' };

function sharedError(status: number) {
  const { when = '', code = '', example = '' } = ERRORS[status] ?? {};
  return {
    description: when,
    ...(ERROR_HEADERS[status] && { headers: ERROR_HEADERS[status] }),
    content: { 'application/json': { schema: ERROR, example: { error: { code, message: example } } } },
  };
}

/** The errors that operations refer to. */
export const ERROR_RESPONSES = Object.fromEntries(Object.entries(ERRORS).map(([status, { name }]) => [name, sharedError(Number(status))]));
