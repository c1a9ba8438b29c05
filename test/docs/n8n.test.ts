import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { openApiDocument } from '../../src/api/openapi.ts';
import { appRouter } from '../../src/api/routers/index.ts';
import { type ApiDocument, operationsOf } from '../../src/mcp/operations.ts';
import { blocksOf, pageText, ROOT } from '../support/docs.ts';

/** The form of a workflow that n8n imports: the parts of IWorkflowBase of n8n-workflow 2 that are used here. */
const node = z.strictObject({
  ...{ id: z.uuid(), name: z.string(), type: z.string().startsWith('n8n-nodes-base.'), typeVersion: z.number() },
  ...{ position: z.tuple([z.int(), z.int()]), webhookId: z.uuid().optional(), retryOnFail: z.boolean().optional() },
  parameters: z.record(z.string(), z.unknown()),
});
const workflow = z.strictObject({
  ...{ name: z.string(), nodes: z.array(node), settings: z.object({ executionOrder: z.literal('v1') }), active: z.literal(false) },
  pinData: z.strictObject({}),
  connections: z.record(
    z.string(),
    z.strictObject({ main: z.array(z.array(z.strictObject({ node: z.string(), type: z.literal('main'), index: z.int() }))) }),
  ),
});
const { nodes, connections } = workflow.parse(JSON.parse(readFileSync(`${ROOT}/docs/n8n/outreach.json`, 'utf8')));

const operations = operationsOf(openApiDocument(appRouter, '/api/v1') as ApiDocument);
const requests = nodes
  .filter(({ type }) => type === 'n8n-nodes-base.httpRequest')
  .map(({ name, parameters }) => [name, parameters] as const);
const EXPRESSION = /\{\{.+?\}\}/g;

/** The operation that a request node calls. */
function operationOf({ method, url }: Record<string, unknown>) {
  const path = String(url)
    .replace(/^=?https:\/\/outreach\.example\.com\/api\/v1/, '')
    .replaceAll(EXPRESSION, '1');
  const fits = (route: string) => new RegExp(`^${route.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(`${method} ${path}`);
  return operations.find(({ route }) => fits(route));
}

describe('docs/n8n/outreach.json', () => {
  it('connects nodes that are there, each once', () => {
    const names = nodes.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const [from, { main }] of Object.entries(connections))
      for (const name of [from, ...main.flat().map((one) => one.node)]) expect(names).toContain(name);
  });

  it.each(requests)('%s: calls an operation, with a body that its schema takes, and a credential', (_, parameters) => {
    const operation = operationOf(parameters);
    expect(operation, `${parameters.method} ${parameters.url}`).toBeDefined();
    expect(parameters).toMatchObject({ authentication: 'genericCredentialType', genericAuthType: 'httpBearerAuth' });
    const { jsonBody } = parameters;
    if (jsonBody === undefined) return;
    const body = JSON.parse(String(jsonBody).replace(/^=/, '').replaceAll(EXPRESSION, '1'));
    const { required: _required, ...schema } = operation?.input ?? {};
    const check = new Ajv2020({ strict: false, validateFormats: false }).compile(schema);
    check(body);
    expect(check.errors).toBeNull();
  });

  it('reads fields that messages and responses have', () => {
    const [example] = blocksOf('docs/webhook-messages.md', 'json').filter(({ text }) => text.includes('"reply.labelled"'));
    const read = nodes.find(({ name }) => name === 'Read the reply');
    const path = /\$json\.body\.([\w.]+)/.exec(String(read?.parameters.url))?.[1] ?? '';
    const value = path
      .split('.')
      .reduce<unknown>((found, name) => (found as Record<string, unknown>)[name], JSON.parse(example?.text ?? ''));
    expect(value).toBe(31);
    for (const before of ['Read the reply', 'Create or change the contact']) {
      const { parameters } = nodes.find(({ name }) => name === before) ?? expect.unreachable(before);
      expect(Object.keys(operationOf(parameters)?.output?.properties ?? {})).toContain('id');
    }
  });

  it('listens at the address that docs/n8n.md names, for a message that there is', () => {
    const [block] = blocksOf('docs/n8n.md', 'sh');
    expect(block?.text).toContain(`/webhook/${nodes.find(({ type }) => type.endsWith('.webhook'))?.parameters.path} `);
    expect(pageText('docs/webhook-messages.md')).toContain('`reply.received`');
    expect(block?.text).toContain('--events reply.received');
  });
});
