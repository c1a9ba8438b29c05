import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openApiDocument } from '../../src/api/openapi.ts';
import { appRouter } from '../../src/api/routers/index.ts';
import { type Schema, withoutReferences } from '../support/openapi.ts';
import { breaksBetween, contractOf } from '../support/openapi-compatibility.ts';

/** The contract of the last release. With RELEASED_API=write it becomes that of this checkout: once, when a release is made. */
const FILE = new URL('released-api.json', import.meta.url);
const contract = contractOf(withoutReferences(openApiDocument(appRouter, 'http://127.0.0.1:8025/api/v1')));
if (process.env.RELEASED_API === 'write') writeFileSync(FILE, `${JSON.stringify(contract)}\n`);
const released: Schema = JSON.parse(readFileSync(FILE, 'utf8'));

it('Version 1 continues to work: nothing in the released document was removed, and no request became invalid', () => {
  expect(Object.keys(released.paths).length).toBeGreaterThan(90);
  expect(breaksBetween(released, contract)).toEqual([]);
});

describe('the comparison finds', () => {
  const text = { type: 'string', maxLength: 10 };
  const make = (change: (operation: Schema) => void = () => undefined) => {
    const operation: Schema = {
      operationId: 'a',
      parameters: [{ name: 'q', in: 'query', required: false, schema: { type: 'string', enum: ['x', 'y'] } }],
      requestBody: {
        required: true,
        content: {
          json: { schema: { type: 'object', properties: { name: text, note: { anyOf: [text, { type: 'null' }] } }, required: ['name'] } },
        },
      },
      responses: { 200: { content: { json: { schema: { $ref: '#/components/schemas/Thing' } } } } },
    };
    change(operation);
    const thing = { type: 'object', properties: { id: { type: 'integer' }, ...operation.more }, required: operation.kept ?? ['id'] };
    return { paths: { '/a': { post: operation } }, components: { schemas: { Thing: thing } } };
  };
  const body = (operation: Schema) => operation.requestBody.content.json.schema;

  it.each<[string, (operation: Schema) => void, string[]]>([
    ['nothing in the same', () => undefined, []],
    [
      'nothing in an addition',
      (o) => {
        o.more = { added: text };
        body(o).properties.more = text;
      },
      [],
    ],
    [
      'nothing in a wider rule',
      (o) => {
        body(o).properties.name = { type: 'string', maxLength: 20 };
      },
      [],
    ],
    [
      'a shorter text',
      (o) => {
        body(o).properties.name = { type: 'string', maxLength: 5 };
      },
      ['POST /a body.name: maxLength'],
    ],
    [
      'a new pattern',
      (o) => {
        body(o).properties.name = { ...text, pattern: '^a' };
      },
      ['POST /a body.name: pattern'],
    ],
    [
      'a field that is gone',
      (o) => {
        delete body(o).properties.note;
      },
      ['POST /a body.note: removed'],
    ],
    [
      'null that is refused',
      (o) => {
        body(o).properties.note = text;
      },
      ['POST /a body.note: alternative 2'],
    ],
    [
      'a field that must be given',
      (o) => {
        body(o).required.push('note');
      },
      ['POST /a body.note: required'],
    ],
    [
      'a value that is gone',
      (o) => {
        o.parameters[0].schema.enum = ['x'];
      },
      ['POST /a query q: enum'],
    ],
    [
      'a parameter that must be given',
      (o) => {
        o.parameters.push({ name: 'z', in: 'query', required: true, schema: text });
      },
      ['POST /a query z: required'],
    ],
    [
      'another type of a field',
      (o) => {
        o.more = { id: text };
      },
      ['POST /a 200.id: type'],
    ],
    [
      'null in a response',
      (o) => {
        o.more = { id: { anyOf: [{ type: 'integer' }, { type: 'null' }] } };
      },
      ['POST /a 200.id: alternative 2'],
    ],
    [
      'a field that may be missing',
      (o) => {
        o.kept = [];
      },
      ['POST /a 200.id: no longer required'],
    ],
    [
      'another status',
      (o) => {
        o.responses = { 201: o.responses[200] };
      },
      ['POST /a 200: removed', 'POST /a 200: removed'],
    ],
  ])('%s', (_, change, breaks) => expect(breaksBetween(make(), make(change))).toEqual(breaks));

  it('an operation that is gone', () => expect(breaksBetween(make(), { ...make(), paths: {} })).toEqual(['POST /a: removed']));
});
