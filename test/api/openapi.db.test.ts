import { isDeepStrictEqual } from 'node:util';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { appRouter } from '../../src/api/routers/index.ts';
import { routesOf } from '../../src/api/routes.ts';
import { procedures } from '../support/native.ts';
import { contentOf, type Schema, shownBy, withoutReferences } from '../support/openapi.ts';
import { schemaCheck } from '../support/schema-check.ts';
import { servedInstallation } from '../support/served.ts';

const { api } = await servedInstallation();
const text = await (await fetch(`${api.url}/api/v1/openapi.json`)).text();
const served: Schema = JSON.parse(text);
const document: Schema = withoutReferences(structuredClone(served));

const misfit = schemaCheck(document.components);

interface Documented {
  name: string;
  method: string;
  path: string;
  operation: Schema;
}

const operations: Documented[] = Object.entries<Schema>(document.paths).flatMap(([path, methods]) =>
  Object.entries<Schema>(methods).map(([verb, operation]) => {
    const method = verb.toUpperCase();
    return { name: `${method} ${path}`, method, path, operation };
  }),
);

/** Every place with an example: its name, schema and example. Examples of errors are the same everywhere and tested below. */
const examples = operations.flatMap(({ name, operation }) => [
  ...operation.parameters.map((each: Schema) => [`${name} ?${each.name}`, each.schema, each.example]),
  ...Object.entries<Schema>({ body: operation.requestBody, ...operation.responses })
    .filter(([where, holder]) => holder?.content !== undefined && !(Number(where) >= 400))
    .map(([where, holder]) => [`${name} ${where}`, contentOf(holder).schema, contentOf(holder).example]),
]) as [string, Schema, unknown][];

/** Operations that name a record outside the path. */
const ABSENT = [
  'DELETE /suppressions',
  'GET /activity',
  'GET /calendar',
  'GET /campaigns/{id}/preview',
  'GET /history',
  'GET /person',
  'POST /person/erase',
  'POST /trash/restore',
  'PUT /weekly-reports',
];

/** Operations besides POSTs that the current state can forbid. */
const CONTRADICTED = [
  'DELETE /campaigns/{id}/steps/{step_id}',
  'DELETE /rotations/{id}/accounts/{account_id}',
  'PATCH /contacts/{id}',
  'PATCH /users/{id}',
  'PUT /contacts/by-email/{email}',
  'PUT /me/daily-summary',
  'PUT /users/{id}/daily-summary',
  'PUT /weekly-reports',
];

const without = (has: (documented: Documented) => unknown) => operations.filter((each) => !has(each)).map(({ name }) => name);

describe('GET /api/v1/openapi.json?tag= serves a part', () => {
  it('has the operations of the tag, with every schema that they use and no other', async () => {
    const seen: string[] = [];
    for (const { name } of document.tags) {
      const { paths, components }: Schema = (await api.as(null).get(`/openapi.json?tag=${encodeURIComponent(name)}`)).body;
      const used = [
        ...JSON.stringify([paths, components.schemas, components.responses]).matchAll(/"#\/components\/schemas\/([^"]+)"/g),
      ].map(([, schema]) => schema);
      expect([...new Set(used)].toSorted(), name).toEqual(Object.keys(components.schemas).toSorted());
      for (const [path, methods] of Object.entries<Schema>(paths))
        seen.push(...Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`));
    }
    expect(seen.toSorted()).toEqual(operations.map(({ name }) => name).toSorted());
    expect((await api.get('/openapi.json?tag=Nothing')).status).toBe(404);
    expect((await api.get('/openapi.json?tag=contacts')).body).toEqual((await api.get('/openapi.json?tag=Contacts')).body);
  });

  it('/llms.txt describes the API in a page: every operation with its summary', async () => {
    const response = await fetch(`${api.url}/llms.txt`);
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    const page = await response.text();
    expect(page).toMatch(/^# Outreach\n\n> /);
    for (const { name, operation } of operations) expect(page).toContain(`- ${name}: ${operation.summary}\n`);
  });
});

describe('GET /api/v1/openapi.json', () => {
  it('is a valid OpenAPI 3.1 document', async () => {
    const validator = new Validator();
    expect(await validator.validate(structuredClone(document))).toMatchObject({ valid: true });
    expect(validator.version).toBe('3.1');
    expect(document.openapi).toBe('3.1.0');
  });

  it('has less than 300 KB, which whoever reads it pays for', () => expect(Buffer.byteLength(text)).toBeLessThan(300_000));

  it('documents every route that is served, and nothing else', () => {
    const routes = procedures.flatMap(({ meta: { openapi } }) => (openapi === undefined ? [] : [`${openapi.method} ${openapi.path}`]));
    expect(operations.map(({ name }) => name).sort()).toEqual(routes.sort());
    expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(operations.length);
  });

  it('every operation is served by the procedure that it is named after: no earlier pattern takes its path', () => {
    const find = routesOf(appRouter);
    const others = operations.map(({ operation, method, path }) => [operation.operationId, find(method, path)?.route.name]);
    expect(others.filter(([id, name]) => id !== name?.replaceAll('.', '-'))).toEqual([]);
  });

  it('every operation has a summary and one known group', () => {
    const tags = document.tags.map((tag: Schema) => tag.name);
    expect(without(({ operation }) => operation.summary && operation.tags.length === 1 && tags.includes(operation.tags[0]))).toEqual([]);
  });

  it('every operation asks for the bearer key', () => {
    expect(document.components.securitySchemes).toMatchObject({ Authorization: { type: 'http', scheme: 'bearer' } });
    expect(without(({ operation }) => JSON.stringify(operation.security ?? document.security) === '[{"Authorization":[]}]')).toEqual([]);
  });

  it('every parameter says what it is, and every one of the path is there', () => {
    const silent = operations.flatMap(({ name, operation }) =>
      operation.parameters.filter((each: Schema) => !each.description).map((each: Schema) => `${name} ${each.name}`),
    );
    expect(silent).toEqual([]);
    expect(
      without(({ path, operation }) =>
        [...path.matchAll(/\{(.+?)\}/g)].every(([, name]) =>
          operation.parameters.some((each: Schema) => each.in === 'path' && each.required && each.name === name),
        ),
      ),
    ).toEqual([]);
  });

  it('every parameter, body and answer has an example, and it is valid by its own schema', () => {
    expect(examples.length).toBeGreaterThan(500);
    const wrong = examples.filter(([, schema, example]) => example === undefined || misfit(schema, example) !== '');
    expect(wrong.map(([where, schema, example]) => `${where}: ${JSON.stringify(example)} ${misfit(schema, example)}`)).toEqual([]);
  });

  it('every object that has a name shows an example that is valid by it', () => {
    const { schemas } = document.components;
    const objects = Object.entries<Schema>(schemas).filter(([, { properties }]) => properties !== undefined);
    expect(objects.length).toBeGreaterThan(50);
    const wrong = objects.map(([name, schema]) => `${name}: ${misfit(schema, shownBy(schema, schemas))}`);
    expect(wrong.filter((line) => !line.endsWith(': '))).toEqual([]);
  });

  it('no text in an example is empty', () => {
    expect(examples.filter(([, , example]) => /(?<!\\)""/.test(JSON.stringify(example) ?? '')).map(([where]) => where)).toEqual([]);
  });

  it('no name of a schema, and no default, is a word of a language that clients are generated in', () => {
    const words = ['Any', 'Date', 'Dict', 'Import', 'Int', 'List', 'Map', 'Object', 'Optional', 'Set', 'String', 'Type', 'Union'];
    expect(words.filter((word) => word in served.components.schemas)).toEqual([]);
    expect(text).not.toContain('"default":null');
  });

  // Generators of Go clients choose between alternatives by their JSON type, and skip an operation where they can't.
  it('alternatives differ in their type', () => {
    const alike: string[] = [];
    const typeOf = ({ $ref, type }: Schema): string => type ?? document.components.schemas[$ref.split('/').at(-1)].type;
    const walk = (node: Schema, where: string) => {
      if (typeof node !== 'object' || node === null) return;
      const types = (node.anyOf ?? []).map(typeOf);
      if (new Set(types).size < types.length || (types.length > 0 && node.type !== undefined)) alike.push(where);
      for (const [key, inner] of Object.entries(node)) if (!key.startsWith('example')) walk(inner, `${where}/${key}`);
    };
    walk(document.paths, '');
    walk(document.components, '');
    expect(alike).toEqual([]);
  });

  it('no text of a request may have a NUL, which every one is refused for', () => {
    const textsIn = (node: Schema, where: string): [string, string][] => {
      if (typeof node !== 'object' || node === null) return [];
      const { type, format, pattern, $ref } = node;
      const isText = [type].flat().includes('string') && format === undefined && node.enum === undefined && node.const === undefined;
      const name = $ref?.split('/').at(-1);
      const inner = Object.entries(node).filter(([key]) => !key.startsWith('example'));
      return [
        ...(isText ? [[where, pattern ?? ''] as [string, string]] : []),
        ...textsIn(served.components.schemas[name] ?? served.components.parameters[name], `${where}/${name}`),
        ...inner.flatMap(([key, each]) => textsIn(each, `${where}/${key}`)),
      ];
    };
    const all = Object.values<Schema>(served.paths).flatMap((methods) => Object.values<Schema>(methods));
    const texts = all.flatMap(({ operationId, requestBody, parameters = [] }) => [
      ...textsIn(requestBody, operationId),
      // No HTTP client sends a NUL in a header.
      ...parameters.filter(({ $ref = '' }: Schema) => !/If|Key/.test($ref)).flatMap((each: Schema) => textsIn(each, operationId)),
    ]);
    expect(texts.length).toBeGreaterThan(100);
    const takes = (pattern: string) => ['\0', 'a\0b', 'a\0=b', 'a=b\0'].some((text) => new RegExp(pattern, 'u').test(text));
    expect(texts.filter(([, pattern]) => takes(pattern))).toEqual([]);
  });

  it('a request may have no other fields; a response may, as "new fields of responses" change nothing for a client', () => {
    const objectsIn = (node: Schema, where: string): [string, boolean][] => {
      if (typeof node !== 'object' || node === null) return [];
      const { type, properties, additionalProperties, $ref } = node;
      const own: [string, boolean][] = type === 'object' && properties ? [[where, additionalProperties === false]] : [];
      const name = $ref?.split('/').at(-1);
      const referred = name in served.components.schemas ? objectsIn(served.components.schemas[name], name) : [];
      const inner = Object.entries(node).filter(([key]) => !key.startsWith('example'));
      return [...own, ...referred, ...inner.flatMap(([key, each]) => objectsIn(each, `${where}/${key}`))];
    };
    const all = Object.values<Schema>(served.paths).flatMap((methods) => Object.values<Schema>(methods));
    const asked = all.flatMap(({ operationId, requestBody }) => objectsIn(requestBody, operationId));
    expect(asked.length).toBeGreaterThan(50);
    expect(asked.filter(([, isClosed]) => !isClosed)).toEqual([]);
    const names = new Set(asked.map(([where]) => where));
    const answered = all.flatMap(({ operationId, responses }) => objectsIn(responses, operationId)).filter(([where]) => !names.has(where));
    expect(answered.length).toBeGreaterThan(200);
    expect(answered.filter(([, isClosed]) => isClosed)).toEqual([]);
  });
});

describe('the errors of every operation', () => {
  const describing = (status: number) =>
    operations.filter(({ path, method }) => served.paths[path][method.toLowerCase()].responses[status]).map(({ name }) => name);

  it('are one response, which says when each status occurs; clients of any language then have one type of errors', () => {
    const { description, content } = served.components.responses.Failure;
    const examples = Object.entries<Schema>(content['application/json'].examples);
    expect(examples.map(([status]) => status)).toEqual(['400', '401', '403', '404', '409', '412', '413', '415', '429', '500']);
    for (const [status, { value }] of examples) {
      expect(description).toMatch(new RegExp(`[:.] ${status}: [A-Z]`));
      expect(misfit(content['application/json'].schema, value), status).toBe('');
    }
    const others = operations.filter(
      ({ path, method }) => served.paths[path][method.toLowerCase()].responses.default.$ref !== '#/components/responses/Failure',
    );
    expect(others).toEqual([]);
  });

  it('404: what names a thing outside of the path says what is missing', () => expect(describing(404).toSorted()).toEqual(ABSENT));

  it('409: what can contradict the present state says how', () => {
    const names = describing(409);
    expect(names.filter((name) => !name.startsWith('POST ')).toSorted()).toEqual(CONTRADICTED);
    expect(names.filter((name) => name.startsWith('POST ')).length).toBeGreaterThan(20);
  });

  it('all have the one envelope, with the code of the status', () => {
    const codes: Record<string, string> = {
      401: 'unauthorized',
      403: 'forbidden',
      404: 'not_found',
      409: 'conflict',
      429: 'too_many_requests',
      500: 'internal_error',
    };
    const wrong = operations.flatMap(({ name, operation }) =>
      Object.entries<Schema>(operation.responses)
        .filter(([status]) => Number(status) >= 400)
        .filter(([status, { content }]) => {
          const { schema, example } = content['application/json'];
          return schema.$ref !== '#/components/schemas/Error' || example.error.code !== (codes[status] ?? 'invalid_request');
        })
        .map(([status]) => `${name} ${status}`),
    );
    expect(wrong).toEqual([]);
  });
});

describe('defaults and bounds', () => {
  it('limit has default 50, minimum 1, maximum 200; offset default 0', () => {
    const paginated = operations.filter(({ operation }) => operation.parameters.some((each: Schema) => each.name === 'offset'));
    expect(paginated.length).toBeGreaterThan(10);
    for (const { name, operation } of paginated) {
      const schemaOf = (wanted: string) => operation.parameters.find((each: Schema) => each.name === wanted).schema;
      expect(schemaOf('limit'), name).toEqual({ type: 'integer', default: 50, minimum: 1, maximum: 200 });
      expect(schemaOf('offset'), name).toEqual({ type: 'integer', default: 0, minimum: 0 });
    }
  });

  it('"PATCH and PUT ignore the read-only ones, so that what GET returned can be sent back"', () => {
    const find = routesOf(appRouter);
    const refused = operations.flatMap(({ name, method, path, operation: { requestBody, responses } }) => {
      const shown = contentOf(document.paths[path].get?.responses[200])?.schema;
      if (!['PATCH', 'PUT'].includes(method) || shown === undefined || !isDeepStrictEqual(shown, contentOf(responses[200])?.schema))
        return [];
      const route = find(method, path)?.route;
      const known = [...Object.keys(contentOf(requestBody).schema.properties), ...(route?.meta.readOnly ?? []), ...path.split(/[{}]/)];
      const schema = shown.$ref ? document.components.schemas[shown.$ref.split('/').at(-1)] : shown;
      if (schema.properties.data) return [];
      return Object.keys(schema.properties).flatMap((field) => (known.includes(field) ? [] : [`${name} ${field}`]));
    });
    expect(refused).toEqual([]);
  });

  it('a body is required where one of its fields is', () => {
    expect(
      without(({ operation: { requestBody: body } }) => {
        return body === undefined || body.required === (contentOf(body).schema.required ?? []).length > 0;
      }),
    ).toEqual([]);
  });
});
