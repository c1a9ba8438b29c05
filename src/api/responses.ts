import { untrusted } from '../fields/fields.ts';
import type { SchemaObject } from './examples.ts';
import type { Operation } from './operation.ts';
import type { Route } from './routes.ts';

/** The errors of the API by status: when they occur, their code, and an example of the message. */
const ERRORS = {
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
    when: 'The role of the key does not allow this',
    code: 'forbidden',
    example: 'a view_only key can read but not change anything',
  },
  404: { when: 'No such resource, or the caller may not see it', code: 'not_found', example: 'campaign not found' },
  409: {
    when: 'The Idempotency-Key was used for another request',
    code: 'conflict',
    example: 'this Idempotency-Key was used for another request; take a new key for each',
  },
  412: {
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

/** When errors occur for a form, instead of for a JSON body. */
const UPLOAD_ERRORS = { 413: 'The file is too large', 415: 'The body is not a form of multipart/form-data' };

/** The envelope of every error. */
export const ERROR_SCHEMA = {
  type: 'object' as const,
  required: ['error'],
  properties: {
    error: {
      type: 'object' as const,
      required: ['code', 'message'],
      example: { code: 'not_found', message: 'contact not found' },
      properties: {
        code: { type: 'string' as const, enum: [...new Set(Object.values(ERRORS).map(({ code }) => code))] },
        message: { type: 'string' as const },
        server_said: {
          type: 'string' as const,
          description: 'What an outside server said, which is in the message too: text from a stranger',
          ...untrusted,
        },
      },
    },
  },
};

/** Documents every response of an operation. @param schema of the body on success */
export function responsesOf(route: Route, schema: SchemaObject | undefined): Operation['responses'] {
  const { status = 200, otherStatus, errors, upload, download } = route.meta;
  const headers = route.method === 'GET' && download === undefined ? { ETag: { $ref: '#/components/headers/ETag' } } : undefined;
  const own = ownHeaders(route.meta.headers);
  const types = download === undefined ? ['application/json'] : Object.values(download);
  const content = schema === undefined ? undefined : Object.fromEntries(types.map((type) => [type, { schema }]));
  const success = (description: string) => ({ description, ...(headers && { headers }), ...(content && { content }) });
  const ownErrors = Object.entries({ ...errors, ...(upload && UPLOAD_ERRORS) }) as unknown as [NamedStatus, string][];
  return {
    ...(otherStatus === undefined ? {} : { [otherStatus]: success('It existed already') }),
    [status]: status === 204 ? { description: 'Done', ...(own && { headers: own }) } : success(status === 201 ? 'Created' : 'OK'),
    ...Object.fromEntries(ownErrors.map(([code, when]) => [code, errorResponse(code, when)])),
    default: { $ref: '#/components/responses/Failure' } as never,
  };
}

const ownHeaders = (described: Readonly<Record<string, string>> | undefined) =>
  described &&
  Object.fromEntries(
    Object.entries(described).map(([name, description]) => [name, { description, schema: { type: 'string', const: 'true' } }]),
  );

const HEADERS = {
  'WWW-Authenticate': { description: 'Of 401: always Bearer', schema: { type: 'string', const: 'Bearer' } },
  'Retry-After': { description: 'Of 429: seconds', schema: { type: 'integer' } },
};

const ERROR = { $ref: '#/components/schemas/Error' };

/** The names of the error responses that operations refer to with a description of their own. */
const NAMES = { 404: 'NotFound', 409: 'Conflict', 413: 'TooLarge', 415: 'UnsupportedType' } as const;

type NamedStatus = keyof typeof NAMES;

const errorResponse = (status: NamedStatus, description: string) =>
  ({ $ref: `#/components/responses/${NAMES[status]}`, description }) as never;

function described(status: NamedStatus) {
  const { when, code, example } = ERRORS[status];
  return { description: when, content: { 'application/json': { schema: ERROR, example: { error: { code, message: example } } } } };
}

/** Builds the response for every error, with an example of each status. */
function failure() {
  const errors = Object.entries(ERRORS);
  const examples = errors.map(([status, { code, example }]) => [status, { value: { error: { code, message: example } } }]);
  return {
    description: `Every error that the operation does not describe itself: ${errors.map(([status, { when }]) => `${status}: ${when}`).join('. ')}.`,
    headers: HEADERS,
    content: { 'application/json': { schema: ERROR, examples: Object.fromEntries(examples) } },
  };
}

/** The errors that operations refer to. */
export const ERROR_RESPONSES = {
  ...Object.fromEntries(Object.entries(NAMES).map(([status, name]) => [name, described(Number(status) as NamedStatus)])),
  Failure: failure(),
};

/** The headers that responses refer to. */
export const RESPONSE_HEADERS = {
  ETag: { description: 'The state of the resource, for If-None-Match and If-Match', schema: { type: 'string' } },
};
