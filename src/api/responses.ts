import { untrusted } from '../fields/fields.ts';
import type { SchemaObject } from './examples.ts';
import type { Operation } from './operation.ts';
import { isConditional } from './preconditions.ts';
import type { Route } from './routes.ts';

/** The errors of the API by status: their name where operations list them, when they occur, their code, and an example of the message. */
const ERRORS: Record<number, { name?: string; when: string; code: string; example: string }> = {
  400: {
    when: 'A missing or invalid field or parameter',
    code: 'invalid_request',
    example: 'limit: must be at most 200',
  },
  401: {
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
  413: { when: 'The body is larger than 5 MiB', code: 'invalid_request', example: 'the body is larger than 5 MiB' },
  415: {
    when: 'The body is not JSON',
    code: 'invalid_request',
    example: 'the body must be JSON, sent with Content-Type: application/json',
  },
  429: {
    when: 'The key has too much in flight; retrying after `Retry-After` seconds is safe',
    code: 'too_many_requests',
    example: 'this key has 200 requests in flight, of at most 200; wait until some have ended',
  },
  500: {
    when: 'An error on the server; retrying is safe',
    code: 'internal_error',
    example: 'something went wrong on the server; the request can be tried again',
  },
};

/** The errors of every operation, which no operation lists: they are its `default` response. */
const OF_ALL = [400, 401, 429, 500];

/** The same of an operation that may have a body. */
const OF_WRITES = [400, 401, 413, 415, 429, 500];

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
      example: { code: 'not_found', message: 'contact not found' },
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
      ? { 'Idempotent-Replayed': { $ref: '#/components/headers/Idempotent-Replayed' } }
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
    default: { $ref: `#/components/responses/${route.method === 'GET' ? 'ReadError' : 'WriteError'}` } as never,
  };
}

const ownHeaders = (described: Readonly<Record<string, string>> | undefined) =>
  described &&
  Object.fromEntries(
    Object.entries(described).map(([name, description]) => [name, { description, schema: { type: 'string', const: 'true' } }]),
  );

/** The error statuses that an operation lists: those that its access, path and method imply, and those that its metadata adds. */
function errorsOf({ method, meta, path }: Route): number[] {
  const { access = 'read', errors = {}, upload } = meta;
  return [
    ...(access === 'read' ? [] : [403]),
    ...(isConditional(method) ? [412] : []),
    ...(path.includes('{') || errors[404] !== undefined ? [404] : []),
    ...(method === 'POST' || errors[409] !== undefined ? [409] : []),
    ...(upload === undefined ? [] : [413, 415]),
  ];
}

const HEADERS = {
  'WWW-Authenticate': { description: 'Of 401: always Bearer', schema: { type: 'string', const: 'Bearer' } },
  'Retry-After': { description: 'Of 429: seconds', schema: { type: 'integer' } },
};

/** An error of one status: the shared one, described in the words of the operation if it has any. */
function errorResponse(status: number, reason: string | undefined): object {
  const { name, when = '' } = ERRORS[status] ?? {};
  const description = reason !== undefined && status === 409 ? `${reason}; or: ${when}` : reason;
  if (name === undefined) return { ...sharedError(status), description };
  return { $ref: `#/components/responses/${name}`, ...(description !== undefined && { description }) };
}

const ERROR = { $ref: '#/components/schemas/Error' };

function sharedError(status: number) {
  const { when = '', code = '', example = '' } = ERRORS[status] ?? {};
  return { description: when, content: { 'application/json': { schema: ERROR, example: { error: { code, message: example } } } } };
}

/** One response for several statuses, with an example of each. */
function defaultError(statuses: readonly number[]) {
  const errors = statuses.map((status) => ({ status, ...ERRORS[status] }));
  const examples = errors.map(({ status, when, code, example }) => [
    status,
    { summary: when, value: { error: { code, message: example } } },
  ]);
  return {
    description: `Every other error: ${errors.map(({ status, when }) => `${status}: ${when}`).join('. ')}.`,
    headers: HEADERS,
    content: { 'application/json': { schema: ERROR, examples: Object.fromEntries(examples) } },
  };
}

/** The errors that operations refer to. */
export const ERROR_RESPONSES = {
  ...Object.fromEntries(
    Object.entries(ERRORS).flatMap(([status, { name }]) => (name === undefined ? [] : [[name, sharedError(Number(status))]])),
  ),
  ReadError: defaultError(OF_ALL),
  WriteError: defaultError(OF_WRITES),
};

/** The headers that responses refer to. */
export const RESPONSE_HEADERS = {
  ETag: { description: 'The state of the resource, for If-None-Match and If-Match', schema: { type: 'string' } },
  'Idempotent-Replayed': {
    description: 'true: the stored response of an earlier request',
    schema: { type: 'string', const: 'true' },
  },
};
