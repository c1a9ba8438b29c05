import fc from 'fast-check';
import { INSTANT } from '../../src/fields/exact-text.ts';
import { anyText } from './any-text.ts';

/** A JSON Schema of the OpenAPI document. */
// biome-ignore lint/suspicious/noExplicitAny: a schema is any JSON
export type Schema = any;

export interface Operation {
  method: string;
  path: string;
  query: { name: string; required?: boolean; schema: Schema }[];
  body: Schema | undefined;
  /** True if it takes a form and not JSON. */
  isForm: boolean;
  /** The example of the body, valid by its schema. */
  example: Record<string, unknown> | undefined;
  /** Schema of the body by status; undefined for a status without one. */
  responses: Record<string, Schema | undefined>;
}

/** Returns the content of a request or a response; if it may have several types, that of the first. */
export const contentOf = (holder: Schema): Schema => Object.values(holder?.content ?? {})[0];

/**
 * Resolves references in the document: shared parameters, responses and links are put in place, schemas get the fields of those that they
 * extend, and the statuses of the `default` response, each of which has an example, are listed. Its objects are closed: a client must
 * accept fields that it does not know, but a test finds those that the document lacks.
 */
export function withoutReferences(document: Schema): Schema {
  const { components } = document;
  for (const schema of Object.values<Schema>(components.schemas)) flatten(schema, components.schemas);
  close(components.schemas);
  close(document.paths);
  const placed =
    (kind: string) =>
    ({ $ref, ...own }: Schema) =>
      $ref === undefined ? own : { ...components[kind][$ref.split('/').at(-1)], ...own };
  for (const operation of Object.values<Schema>(document.paths).flatMap((methods) => Object.values<Schema>(methods))) {
    operation.parameters = (operation.parameters ?? [])
      .map(placed('parameters'))
      .map((parameter: Schema) => ({ example: shownBy(parameter.schema, components.schemas), required: false, ...parameter }));
    if (operation.requestBody) operation.requestBody.required ??= false;
    const { default: others, ...listed } = operation.responses;
    operation.responses = {};
    for (const [status, response] of Object.entries<Schema>(listed)) operation.responses[status] = placed('responses')(response);
    const { content, ...error } = placed('responses')(others);
    const { schema, examples } = content['application/json'];
    for (const [status, { value }] of Object.entries<Schema>(examples))
      operation.responses[status] ??= { ...error, content: { 'application/json': { schema, example: value } } };
    for (const response of Object.values<Schema>(operation.responses)) {
      if (response.links) response.links = mapped(response.links, placed('links'));
      if (response.content)
        response.content = mapped(response.content, (media: Schema) => ({
          example: shownBy(media.schema, components.schemas),
          ...media,
        }));
    }
  }
  return document;
}

const mapped = (object: Schema, change: (value: Schema) => Schema) =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]));

/** Gives a schema that extends another one all its fields. */
function flatten(schema: Schema, schemas: Schema): void {
  const { allOf } = schema;
  if (allOf === undefined) return;
  delete schema.allOf;
  const parts = allOf.map(({ $ref, ...own }: Schema) => ($ref === undefined ? own : schemas[$ref.split('/').at(-1)]));
  for (const part of parts) flatten(part, schemas);
  schema.type = 'object';
  schema.properties = Object.assign({}, ...parts.map(({ properties }: Schema) => properties));
  schema.required = parts.flatMap(({ required }: Schema) => required);
}

function close(node: Schema): void {
  if (typeof node !== 'object' || node === null) return;
  if (node.type === 'object' && node.properties) node.additionalProperties ??= false;
  for (const [key, inner] of Object.entries(node)) if (!key.startsWith('example')) close(inner);
}

/** Returns the example that tools show for a schema: its own, or one made from its values and those of its parts. */
export function shownBy(schema: Schema, schemas: Schema): Schema {
  if (schema.example !== undefined) return schema.example;
  if (schema.$ref) return shownBy(schemas[schema.$ref.split('/').at(-1)], schemas);
  const value = schema.const ?? schema.default ?? schema.enum?.[0];
  if (value !== undefined) return value;
  if (schema.anyOf) return shownBy(schema.anyOf[0], schemas);
  if (schema.items) return [shownBy(schema.items, schemas)];
  return schema.properties && mapped(schema.properties, (field) => shownBy(field, schemas));
}

/** Every operation of the document that a running daemon serves. */
export async function operationsOf(url: string): Promise<{ operations: Operation[]; components: Schema }> {
  const document = withoutReferences((await (await fetch(`${url}/api/v1/openapi.json`)).json()) as Schema);
  const operations = Object.entries<Schema>(document.paths).flatMap(([path, methods]) =>
    Object.entries<Schema>(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      query: (operation.parameters ?? []).filter((parameter: Schema) => parameter.in === 'query'),
      body: contentOf(operation.requestBody)?.schema,
      isForm: operation.requestBody?.content?.['multipart/form-data'] !== undefined,
      example: contentOf(operation.requestBody)?.example,
      responses: Object.fromEntries(
        Object.entries<Schema>(operation.responses).map(([status, response]) => [status, contentOf(response)?.schema]),
      ),
    })),
  );
  return { operations, components: document.components };
}

export interface GeneratedRequest {
  method: string;
  path: string;
  operation: Operation;
  body: unknown;
}

const junk = fc.oneof(
  fc.constantFrom(
    null,
    true,
    false,
    0,
    -1,
    1.5,
    1e21,
    '',
    ' ',
    '7',
    'true',
    [],
    {},
    '\u0000',
    '\ud800',
    '../../etc',
    "' or 1=1 --",
    '{{x}}',
    '%',
    '__proto__',
  ),
  fc.jsonValue(),
  anyText({ maxLength: 40 }),
);

/** Generates values of a schema, and now and then something completely different. */
function valuesOf(schema: Schema, components: Schema, depth = 0): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 9, arbitrary: fittingValuesOf(schema, components, depth) }, { weight: 1, arbitrary: junk });
}

function fittingValuesOf(schema: Schema, components: Schema, depth: number): fc.Arbitrary<unknown> {
  if (schema === undefined || depth > 4) return junk;
  if (schema.$ref) return fittingValuesOf(components.schemas[schema.$ref.split('/').at(-1)], components, depth + 1);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.const !== undefined) return fc.constant(schema.const);
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives) return fc.oneof(...alternatives.map((inner: Schema) => fittingValuesOf(inner, components, depth + 1)));
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === 'integer') return fc.oneof(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 0, max: 400 }), fc.integer());
  if (type === 'number') return fc.double();
  if (type === 'boolean') return fc.boolean();
  if (type === 'null') return fc.constant(null);
  if (type === 'array') return fc.array(valuesOf(schema.items, components, depth + 1), { maxLength: 4 });
  if (type === 'object') return objectsOf(schema, components, depth);
  return stringsOf(schema);
}

function stringsOf(schema: Schema): fc.Arbitrary<string> {
  if (schema.pattern === INSTANT) return fc.constantFrom('2026-01-31 09:00:00', '2026-01-31T09:00:00Z');
  if (schema.format === 'date') return fc.constant('2026-01-31');
  if (schema.format === 'date-time')
    return fc.date({ noInvalidDate: true, min: new Date('2000-01-01'), max: new Date('2100-01-01') }).map((date) => date.toISOString());
  return fc.oneof(
    fc.constantFrom(
      'someone@example.org',
      'other@example.org',
      'Europe/Berlin',
      'Name',
      '<p>{{name}}</p>',
      'status:active',
      'text',
      'template',
    ),
    fc.string({ maxLength: 30 }),
    fc.string({ unit: 'grapheme', maxLength: 300 }),
  );
}

function objectsOf(schema: Schema, components: Schema, depth: number): fc.Arbitrary<unknown> {
  const properties = Object.fromEntries(
    Object.entries<Schema>(schema.properties ?? {}).map(([name, inner]) => [name, valuesOf(inner, components, depth + 1)]),
  );
  const whole = fc.record(properties, { requiredKeys: [] });
  if (Object.keys(properties).length === 0)
    return fc.dictionary(fc.constantFrom('favourite_colour', 'size', 'nonsense'), valuesOf({ type: 'string' }, components, depth + 1), {
      maxKeys: 3,
    });
  return fc.oneof(
    { weight: 8, arbitrary: fc.record(properties) },
    { weight: 6, arbitrary: whole },
    { weight: 1, arbitrary: fc.tuple(whole, fc.string(), junk).map(([object, key, value]) => ({ ...object, [key]: value })) },
  );
}

/** Generates requests to all operations: valid ones, nearly valid ones, and nonsense. */
export function requestsOf(operations: readonly Operation[], components: Schema): fc.Arbitrary<GeneratedRequest> {
  const segment = fc.oneof(
    { weight: 14, arbitrary: fc.integer({ min: 1, max: 12 }).map(String) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('0', '-1', '1.0', '2147483648', '99999999999999999999', 'abc', '%00', "1'", '1;drop', '٣'),
    },
  );
  // Deletions are rare, or soon nothing would be left to request.
  const weighted = operations.flatMap((operation) => Array<Operation>(operation.method === 'DELETE' ? 1 : 12).fill(operation));
  return fc.constantFrom(...weighted).chain((operation) => {
    const names = [...operation.path.matchAll(/\{(.+?)\}/g)].map((match) => match[1] ?? '');
    const query = fc.record(Object.fromEntries(operation.query.map(({ name, schema }) => [name, valuesOf(schema, components)])), {
      requiredKeys: [],
    });
    return fc
      .tuple(
        fc.array(segment, { minLength: names.length, maxLength: names.length }),
        query,
        operation.body === undefined ? fc.constant(undefined) : valuesOf(operation.body, components),
      )
      .map(([values, fields, body]) => {
        let path = operation.path;
        for (const [index, name] of names.entries()) path = path.replace(`{${name}}`, values[index] ?? '1');
        const parameters = new URLSearchParams(
          Object.entries(fields)
            .filter(([, value]) => value !== undefined)
            .map(([name, value]): [string, string] => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
        );
        return { method: operation.method, path: parameters.size === 0 ? path : `${path}?${parameters}`, operation, body };
      });
  });
}
