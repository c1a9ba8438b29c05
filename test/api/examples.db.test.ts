import { beforeAll, expect, it } from 'vitest';
import type { ApiClient } from '../support/api-client.ts';
import { makeExampleWorld } from '../support/example-world.ts';
import { type Ids, named, pathWith, send } from '../support/one-of-each.ts';
import { type Operation, operationsOf, type Schema, withoutReferences } from '../support/openapi.ts';
import { servedInstallation } from '../support/served.ts';

const {
  api: admin,
  app,
  clock,
} = await servedInstallation({
  ...{ webhooksAllowPrivate: true, systemSmtpUrl: 'smtp://127.0.0.1:9', systemFrom: 'outreach@example.com' },
});
const { operations } = await operationsOf(admin.url);
const document = withoutReferences(await (await fetch(`${admin.url}/api/v1/openapi.json`)).json());

let api: ApiClient;
let ids: Ids;
beforeAll(async () => {
  // The date of the examples: their past times are in the past, and their future times in the future.
  clock.set('2026-01-31T12:00:00Z');
  const world = await makeExampleWorld(app, admin);
  ids = world.ids;
  api = admin.as(world.key);
});

/** Orders operations: reads, creations, changes, actions, then deletions, children before their record, so that all records in examples exist. */
const turnOf = ({ method, path, responses }: Operation): number => {
  if (['/person/erase', '/trash/restore'].includes(path)) return 9;
  if (path.endsWith('/remove')) return 9;
  if (path.endsWith('/disable') || path === '/report-links/{id}') return 7;
  if (['/history', '/person'].includes(path)) return 5;
  if (method === 'DELETE') return 8 - path.split('/').length / 10;
  if (method === 'POST') return responses[201] === undefined ? 4 : 1;
  return { GET: 0, PUT: 2, PATCH: 3 }[method] ?? 0;
};
const ordered = operations.toSorted((one, other) => turnOf(one) - turnOf(other));

/** Examples that fail because of stored records, earlier requests or a missing server, with a part of the error. */
const FORBIDDEN: Record<string, string> = {
  'PATCH /contacts/{id}': 'already exists',
  'POST /contacts/{id}/merge': 'into itself',
  'POST /accounts/{id}/test': "can't be decrypted",
  'POST /accounts/{id}/placements': "can't be",
  'POST /campaigns/{id}/test': "can't be decrypted",
  'POST /campaigns/apply': 'have changed since',
  'POST /replies/{id}/confirm-opt-out': 'there is nothing to decide',
  'POST /replies/{id}/dismiss-opt-out': 'there is nothing to decide',
  'DELETE /drafts/{id}': 'draft not found',
  'POST /history/{id}/undo': 'can be undone',
  'POST /calls/{id}/done': 'already',
  'POST /calls/{id}/skip': 'already',
  'POST /users/{id}/invite': 'no open invitation',
  'POST /outbox/{id}/resolve': 'only an email whose delivery is unknown',
};

/** Returns the examples of the query parameters as a client sends them. */
function queryOf({ method, path }: Operation): string {
  const { parameters }: Schema = document.paths[path][method.toLowerCase()];
  const given = parameters.filter((each: Schema) => each.in === 'query').map(({ name, example }: Schema) => [name, String(example)]);
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
}

it('the examples of every operation make a request that is accepted', async () => {
  const refused: string[] = [];
  for (const operation of ordered) {
    const path = `${pathWith(operation, ids)}${queryOf(operation)}`;
    const { status, body } = await send(api, operation, path, operation.example);
    const expected = FORBIDDEN[named(operation)];
    const isRight = expected === undefined ? status < 300 : [404, 409].includes(status) && body.error.message.includes(expected);
    if (!isRight) refused.push(`${named(operation)}: ${status} ${body?.error?.message}`);
  }
  expect(refused).toEqual([]);
});
