import { isDeepStrictEqual } from 'node:util';
import type { AnyTRPCRouter } from '@trpc/server';
import { generateOpenApiDocument, getInputOutputParsers } from 'trpc-openapi';
import { shareRepeated } from './document-sharing.ts';
import { exampleOf, overlaid, type SchemaObject, shownBy } from './examples.ts';
import { INTRODUCTION, TAGS } from './introduction.ts';
import { addLinks, type PlacedOperation } from './links.ts';
import { openResponses } from './open-responses.ts';
import type { Operation, Parameter } from './operation.ts';
import { isConditional } from './preconditions.ts';
import { excludeNul } from './request-texts.ts';
import { ERROR_RESPONSES, ERROR_SCHEMA, RESPONSE_HEADERS, responsesOf } from './responses.ts';
import { type FindRoute, type Route, routesOf } from './routes.ts';

type Schemas = Record<string, SchemaObject>;

const IDEMPOTENCY_KEY: Parameter = {
  in: 'header',
  name: 'Idempotency-Key',
  description:
    'Makes a retry safe: within 24 hours the same request with the same key is handled once and gets the same response, with the header ' +
    '`Idempotent-Replayed: true`. Another request with the key gets 409.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~](?:[ -~]*[!-~])?$' } as SchemaObject,
  example: '0b1c8a52-6f0f-4d3a-9d5e-6a0f3f1f7c11',
};

const IF_MATCH: Parameter = {
  in: 'header',
  name: 'If-Match',
  description: 'The ETag of a GET of the same path. The request is refused with 412 if the resource has changed since.',
  schema: { type: 'string' } as SchemaObject,
  example: '"Zk3vCw0mQ2bYc1yJ8mS4x3tq9aE"',
};

const IF_NONE_MATCH: Parameter = {
  ...IF_MATCH,
  name: 'If-None-Match',
  description: 'The ETag of an earlier response. If nothing has changed, the response is 304 without a body.',
};

/** Returns references to the parameters that many operations share. */
function sharedParameters({ method, path, meta }: Route, findRoute: FindRoute): Parameter[] {
  const names = [
    ...(method === 'POST' ? ['IdempotencyKey'] : []),
    ...(method === 'GET' && meta.download === undefined ? ['IfNoneMatch'] : []),
    ...(isConditional(method) && findRoute('GET', path) !== undefined ? ['IfMatch'] : []),
  ];
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }) as never);
}

/**
 * Generates the OpenAPI 3.1 document of a router: the one from trpc-openapi, completed with our statuses, defaults and
 * errors, and an example for every parameter and body. @param baseUrl such as `http://127.0.0.1:8025/api/v1`
 */
export function openApiDocument(router: AnyTRPCRouter, baseUrl: string): object {
  const { components, paths, ...generated } = generateOpenApiDocument(router, {
    title: 'Outreach',
    description: INTRODUCTION,
    version: '1',
    openApiVersion: '3.1.0',
    baseUrl,
    securitySchemes: {
      Authorization: { type: 'http', scheme: 'bearer', description: 'A personal key: `Authorization: Bearer <API_KEY>`' },
    },
  });
  const ours = Object.entries(components?.schemas ?? {}).filter(([name]) => !name.startsWith('error.'));
  const schemas = { ...Object.fromEntries(ours), Error: ERROR_SCHEMA } as Schemas;
  for (const schema of Object.values(schemas)) removeTextAlternative(schema);
  const findRoute = routesOf(router);
  const placed: PlacedOperation[] = [];
  for (const [path, operations] of Object.entries(paths ?? {}))
    for (const [method, operation] of Object.entries(operations)) {
      const match = findRoute(method.toUpperCase(), path);
      if (match === undefined) throw new Error(`nothing serves ${method} ${path}`);
      complete(operation as Operation, match.route, schemas, findRoute);
      placed.push({ method, path, operation: operation as PlacedOperation['operation'] });
    }
  addLinks(placed, schemas);
  const operations = placed.map(({ operation }) => operation);
  openResponses(operations, schemas);
  excludeNul(operations, schemas);
  const { parameters, ...shared } = shareRepeated(operations, schemas);
  const document = {
    ...generated,
    paths,
    security: [{ Authorization: [] }],
    tags: TAGS,
    info: { ...generated.info, license: { name: 'MIT', identifier: 'MIT' } },
    components: {
      securitySchemes: components?.securitySchemes,
      schemas,
      responses: ERROR_RESPONSES,
      parameters: { IfMatch: IF_MATCH, IfNoneMatch: IF_NONE_MATCH, IdempotencyKey: IDEMPOTENCY_KEY, ...parameters },
      ...shared,
      headers: RESPONSE_HEADERS,
    },
  };
  removeEmptyRules(document, schemas);
  return document;
}

/** Removes the text alternative from a schema that also accepts its type as text: clients need only the type. */
function removeTextAlternative(schema: SchemaObject): void {
  if (schema.type !== undefined) delete schema.anyOf;
}

/** Adds the parts of an operation that trpc-openapi leaves out, and replaces those that differ here. */
function complete(operation: Operation, route: Route, schemas: Schemas, findRoute: FindRoute): void {
  // The document's own applies to all operations.
  delete operation.security;
  operation.description = [operation.description, accessOf(route)].filter(Boolean).join(' ');
  const success = operation.responses['200']?.content?.['application/json']?.schema;
  const response = success && exampleOf(success, schemas);
  operation.responses = responsesOf(route, success);
  for (const parameter of operation.parameters ?? []) {
    const fallback = defaultOf(route, parameter.name);
    if (fallback !== undefined) parameter.schema.default = fallback;
  }
  if (route.method === 'DELETE') moveQueryIntoBody(operation);
  for (const name of route.meta.query ?? []) moveIntoQuery(operation, name);
  for (const parameter of operation.parameters ?? []) {
    removeTextAlternative(parameter.schema);
    describe(parameter, route, schemas);
  }
  const shared = sharedParameters(route, findRoute);
  if (shared.length > 0) operation.parameters = [...(operation.parameters ?? []), ...shared];
  const body = operation.requestBody;
  const content = body?.content['application/json'];
  if (body === undefined || content === undefined) return;
  if ((content.schema.required ?? []).length > 0) body.required = true;
  else delete body.required;
  for (const field of Object.values(content.schema.properties ?? {})) removeTextAlternative(field);
  // The example response shows the values that the example request sets.
  const example = overlaid(exampleOf(content.schema, schemas), response) as Record<string, unknown>;
  content.example = route.method === 'PATCH' ? firstFields(example) : example;
  if (route.meta.upload !== undefined) body.content = { 'multipart/form-data': content };
}

/** Keeps the first fields of a PATCH's example: it changes only the fields it names, and clients rarely send a whole record. */
const firstFields = (example: Record<string, unknown>) => Object.fromEntries(Object.entries(example).slice(0, 2));

/** Returns a sentence with the scope that an operation needs. The introduction says which roles may have it. */
const accessOf = ({ meta: { access = 'read' } }: Route) => `Scope: \`${access}\`.`;

function describe(parameter: Parameter, route: Route, schemas: Schemas): void {
  parameter.description =
    parameter.schema.description ?? (parameter.in === 'path' ? `Id of the ${resourceOf(parameter, route)}` : undefined);
  delete parameter.schema.description;
  const example = exampleOf(parameter.schema, schemas, parameter.name);
  delete parameter.schema.example;
  if (!isDeepStrictEqual(shownBy(parameter.schema, schemas), example)) parameter.example = example;
}

/** The resources whose paths don't start with their regular plural. */
const RESOURCES: Record<string, string> = { replies: 'reply', history: 'change', outbox: 'email' };

/** Returns the resource that a path parameter identifies: `campaign` for `/campaigns/{id}`, `step` for `{step_id}`. */
function resourceOf({ name }: Parameter, route: Route): string {
  const [first = ''] = segmentsOf(route);
  const word = name === 'id' ? (RESOURCES[first] ?? first.replace(/s$/, '')) : name.replace(/_id$/, '');
  return word.replaceAll(/[-_]/g, ' ');
}

/** Returns the default of a query parameter, which the generated schema loses if several operations share the parameter. */
function defaultOf({ procedure }: Route, name: string): unknown {
  return getInputOutputParsers(procedure).inputParser.shape[name]?.safeParse(undefined).data;
}

const segmentsOf = ({ path }: Route) => path.slice(1).split('/');

/** Moves the query parameters of a DELETE into its body: this API takes the fields of every write there. */
function moveQueryIntoBody(operation: Operation): void {
  const fields = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query');
  if (fields.length === 0) return;
  operation.parameters = (operation.parameters ?? []).filter((parameter) => parameter.in !== 'query');
  const schema = {
    type: 'object',
    properties: Object.fromEntries(fields.map((field) => [field.name, field.schema])),
    required: fields.filter((field) => field.required).map((field) => field.name),
    additionalProperties: false,
  };
  operation.requestBody = { required: true, content: { 'application/json': { schema } } };
}

/** Moves a field of the body into the query, for a write that takes it there. */
function moveIntoQuery(operation: Operation, name: string): void {
  const { properties = {} } = operation.requestBody?.content['application/json']?.schema ?? {};
  const schema = properties[name];
  if (schema === undefined) return;
  delete properties[name];
  operation.parameters = [...(operation.parameters ?? []), { name, in: 'query', required: false, schema }];
}

/**
 * Removes rules that say nothing: zod's bounds of every integer, null as a default, names that are text, the marks for building examples, and
 * keywords beside a reference that repeat the schema it refers to. Writes a nullable schema as a list of types if its other part is a plain
 * value.
 */
function removeEmptyRules(node: unknown, schemas: Schemas): void {
  if (typeof node !== 'object' || node === null) return;
  const schema = node as SchemaObject;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.examples?.length === 0) delete schema.examples;
  // openapi-generator copies it into Python code unchanged.
  if (schema.default === null) delete schema.default;
  if (isDeepStrictEqual(schema.propertyNames, { type: 'string' })) delete schema.propertyNames;
  const referred = schemas[schema.$ref?.split('/').at(-1) ?? ''];
  for (const [keyword, value] of Object.entries(schema))
    if (referred !== undefined && (keyword === 'override' || isDeepStrictEqual(value, referred[keyword as keyof SchemaObject])))
      delete schema[keyword as keyof SchemaObject];
  for (const inner of Object.values(node)) removeEmptyRules(inner, schemas);
  const [value, none, ...others] = schema.anyOf ?? [];
  if (others.length > 0 || !isDeepStrictEqual(none, { type: 'null' }) || typeof value?.type !== 'string' || !isSimple(value)) return;
  delete schema.anyOf;
  Object.assign(schema, { ...value, ...schema, type: [value.type, 'null'] });
}

/** Keywords of schemas that are more than a plain value. */
const COMPOUND = ['enum', 'const', 'items', 'properties', 'anyOf'] as const;

const isSimple = (schema: SchemaObject) => COMPOUND.every((keyword) => schema[keyword] === undefined);
