import { describe, expect, it } from 'vitest';
import { openApiDocument } from '../../src/api/openapi.ts';
import { appRouter } from '../../src/api/routers/index.ts';
import { contentOf, type Schema, withoutReferences } from '../support/openapi.ts';

const document = withoutReferences(openApiDocument(appRouter, 'http://127.0.0.1:8025/api/v1'));
const operations = new Map<string, Schema>(
  Object.entries<Schema>(document.paths).flatMap(([path, methods]) =>
    Object.values<Schema>(methods).map((operation) => [operation.operationId, { ...operation, path }] as const),
  ),
);
const links = [...operations.values()].flatMap((from) =>
  Object.entries<Schema>(from.responses).flatMap(([status, response]) =>
    Object.values<Schema>(response.links ?? {}).map((link) => ({ from, status, response, link, to: operations.get(link.operationId) })),
  ),
);

const resolved = (schema: Schema): Schema =>
  schema?.$ref ? resolved(document.components.schemas[schema.$ref.split('/').at(-1)]) : (schema?.anyOf?.map(resolved)[0] ?? schema);

/** True if a runtime expression names something that the operation has. */
function isFound(expression: string, from: Schema, response: Schema): boolean {
  const [, parameter] = /^\$request\.path\.(\w+)$/.exec(expression) ?? [];
  if (parameter !== undefined) return from.path.includes(`{${parameter}}`);
  const [, pointer = ''] = /^\$response\.body#\/(.+)$/.exec(expression) ?? [];
  const found = pointer
    .split('/')
    .reduce(
      (schema, part) => (/^\d+$/.test(part) ? resolved(schema)?.items : resolved(schema)?.properties?.[part]),
      contentOf(response)?.schema,
    );
  return found !== undefined;
}

describe('links between operations', () => {
  it('whatever takes an id in its path follows from something that answers one', () => {
    const followed = new Set(links.map(({ link }) => link.operationId));
    const rest = [...operations.values()].filter(({ path, operationId }) => path.includes('{') && !followed.has(operationId));
    expect(rest.map(({ operationId }) => operationId)).toEqual([]);
  });

  it('every operation follows another or is followed by one', () => {
    const linked = new Set(links.flatMap(({ from, link }) => [from.operationId, link.operationId]));
    expect([...operations.keys()].filter((id) => !linked.has(id))).toEqual([]);
  });

  it('each names an operation, parameters that it has, and values that the response has', () => {
    expect(links.length).toBeGreaterThan(150);
    // openapi-generator 7.26: "links.erase.requestBody is not of type `string`".
    expect(links.filter(({ link }) => 'requestBody' in link)).toEqual([]);
    const wrong = links.filter(({ from, response, link, to }) => {
      const parameters = Object.keys(link.parameters ?? {});
      const values: string[] = Object.values(link.parameters ?? {});
      return !(
        to !== undefined &&
        parameters.every((name) => to.parameters.some((each: Schema) => each.name === name)) &&
        values.every((value) => isFound(value, from, response))
      );
    });
    expect(wrong.map(({ from, link }) => `${from.operationId} -> ${JSON.stringify(link)}`)).toEqual([]);
  });
});
