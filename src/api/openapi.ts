import type { AnyTRPCRouter } from '@trpc/server';
import { generateOpenApiDocument } from 'trpc-openapi';
import { type Route, routeTable } from './routes.ts';

const ERROR_WORDS: Record<number, string> = {
  400: 'A missing or invalid field or parameter',
  401: 'A missing, malformed or revoked key',
  403: 'The role of the key does not allow this',
  404: 'No such resource, or the caller may not see it',
  409: 'A duplicate, or a contradiction to the present state',
  413: 'The body is larger than 5 MiB',
  415: 'The body is not JSON',
  500: 'A fault of the server; retrying is safe',
};

const ERROR_CODES: Record<number, string> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
  500: 'internal_error',
};

const IDEMPOTENCY_KEY = {
  in: 'header' as const,
  name: 'Idempotency-Key',
  required: false,
  description: 'Makes a retry safe: within 24 hours the same request with the same key is done once and answered alike.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  schema: Record<string, unknown>;
}

interface Operation {
  parameters?: Parameter[];
  requestBody?: object;
  responses: Record<string, unknown>;
}

/** The OpenAPI 3.1 document of the API: trpc-openapi's, with our success statuses and our error envelope. */
export function openApiDocument(router: AnyTRPCRouter, baseUrl: string): object {
  const document = generateOpenApiDocument(router as never, {
    title: 'Outreach',
    description: 'Multi-step cold-email campaigns. Every request carries `Authorization: Bearer <API_KEY>`.',
    version: '1',
    openApiVersion: '3.1.0',
    baseUrl,
  });
  for (const route of routeTable(router).routes) {
    const path = `/${route.segments.join('/')}`;
    const operation = (document.paths?.[path] as Record<string, Operation> | undefined)?.[route.method.toLowerCase()];
    if (operation === undefined) continue;
    operation.responses = responsesOf(route, operation.responses['200']);
    // Text that is read as an integer or boolean has two types inside; a caller only needs to know what it means.
    for (const { schema } of operation.parameters ?? []) if (schema.type !== undefined) delete schema.anyOf;
    if (route.method === 'DELETE') takeFieldsIntoBody(operation);
    if (route.method === 'POST') operation.parameters = [...(operation.parameters ?? []), IDEMPOTENCY_KEY];
  }
  document.components = {
    securitySchemes: document.components?.securitySchemes ?? {},
    schemas: { ...document.components?.schemas, Error: ERROR_SCHEMA },
  };
  for (const name of Object.keys(document.components.schemas ?? {}))
    if (name.startsWith('error.')) delete document.components.schemas?.[name];
  return document;
}

/** trpc-openapi gives DELETE its fields as query parameters; ours come in the body, as those of every write. */
function takeFieldsIntoBody(operation: Operation): void {
  const fields = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query');
  if (fields.length === 0) return;
  operation.parameters = operation.parameters?.filter((parameter) => parameter.in !== 'query');
  const schema = {
    type: 'object',
    properties: Object.fromEntries(fields.map((field) => [field.name, field.schema])),
    required: fields.filter((field) => field.required).map((field) => field.name),
    additionalProperties: false,
  };
  operation.requestBody = { required: true, content: { 'application/json': { schema } } };
}

const ERROR_SCHEMA = {
  type: 'object' as const,
  required: ['error'],
  additionalProperties: false,
  properties: {
    error: {
      type: 'object' as const,
      required: ['code', 'message'],
      additionalProperties: false,
      properties: {
        code: { type: 'string' as const, enum: ['invalid_request', ...Object.values(ERROR_CODES)] },
        message: { type: 'string' as const },
      },
    },
  },
};

function responsesOf(route: Route, success: unknown): Record<string, unknown> {
  const status = route.meta.status ?? 200;
  const statuses = [400, 401, ...(route.meta.access === undefined || route.meta.access === 'read' ? [] : [403]), 404];
  if (route.method !== 'GET') statuses.push(409, 413, 415);
  return {
    ...(route.meta.otherStatus === undefined ? {} : { [route.meta.otherStatus]: success }),
    [status]: status === 204 ? { description: 'Done; no body' } : success,
    ...Object.fromEntries([...statuses, 500].map((code) => [code, errorResponse(code)])),
  };
}

const errorResponse = (status: number) => ({
  description: ERROR_WORDS[status],
  content: {
    'application/json': {
      schema: { $ref: '#/components/schemas/Error' },
      example: { error: { code: ERROR_CODES[status] ?? 'invalid_request', message: ERROR_WORDS[status] } },
    },
  },
});
