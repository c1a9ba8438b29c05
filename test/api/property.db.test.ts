import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROLES } from '../../src/access/caller.ts';
import type { App } from '../../src/app.ts';
import { sql } from '../../src/db/statement.ts';
import { type Daemon, startDaemon } from '../../src/main/daemon.ts';
import { type ApiClient, apiClient, parsed } from '../support/api-client.ts';
import { type TestInstallation, testInstallation } from '../support/database.ts';
import { formOf } from '../support/form.ts';
import { type GeneratedRequest, type Operation, operationsOf, requestsOf, type Schema } from '../support/openapi.ts';
import { member, workspace } from '../support/people.ts';
import { insertAccount } from '../support/rows.ts';
import { runs } from '../support/runs.ts';
import { type SchemaCheck, schemaCheck } from '../support/schema-check.ts';

/** Two workspaces. Every name and address of one contains its mark, and no response to a key of the other may. */
const MARKS = ['HOME-41d8', 'AWAY-5f2c'] as const;
/** Number of requests; PROPERTY_REQUESTS sets another. */
const REQUESTS = Number(process.env.PROPERTY_REQUESTS ?? runs(200, 100_000));
const CONCURRENCY = 20;
const SEED = Number(process.env.PROPERTY_SEED ?? 20_261_121);
/**
 * If a response is slower than this every time the same requests are sent, another of them kept it waiting; if it is slow once, the machine may
 * have stalled. Requests that work only once, such as deleting, escape the check. While other tests run, anything may slow a response.
 */
const MAX_MILLISECONDS = runs(Number.POSITIVE_INFINITY, 1_000);
const TIMES = 3;
const PAUSE_MILLISECONDS = 2_000;

let installation: TestInstallation;
let daemon: Daemon;
let operations: Operation[];
let components: Schema;
let misfit: SchemaCheck;

interface Key {
  key: string;
  /** The mark of the other workspace. */
  foreign: string;
}
const keys: Key[] = [];

beforeAll(async () => {
  installation = await testInstallation();
  const { app, databaseUrl } = installation;
  daemon = await startDaemon(app, { worker: false, databaseUrl });
  ({ operations, components } = await operationsOf(daemon.url ?? ''));
  misfit = schemaCheck(components);
  const ids = [1, await workspace(app, MARKS[1])];
  const admins: ApiClient[] = [];
  for (const [index, workspaceId] of ids.entries()) {
    for (const role of ROLES) {
      const { key } = await member(app, role, { workspaceId, email: `${MARKS[index]}-${role}@example.com` });
      keys.push({ key, foreign: MARKS[1 - index] ?? '' });
      if (role === 'admin') admins.push(apiClient(daemon.url ?? '', key));
    }
  }
  // Alternate, so that the requested ids include those of both workspaces.
  for (let turn = 0; turn < 5; turn++)
    for (const [index, workspaceId] of ids.entries()) await fill(app, admins[index] as ApiClient, workspaceId, MARKS[index] ?? '', turn);
});
afterAll(() => daemon?.stop());

/** Creates a few records of each kind; mailboxes as rows, because there is no server to connect to. */
async function fill(app: App, api: ApiClient, workspaceId: number, mark: string, turn: number): Promise<void> {
  const accountId = await insertAccount(app, { workspace_id: workspaceId, email: `${mark}-box-${turn}@example.com`, from_name: mark });
  await api.post('/custom-fields', { name: `Favourite colour ${mark}` });
  const contact = (await api.post('/contacts', { email: `${mark}-${turn}@example.org`, name: `${mark} ${turn}`, company: mark })).body;
  await api.post('/lists', { name: `${mark} ${turn}` });
  await api.post('/templates', { name: `${mark} ${turn}`, body_html: `<p>${mark}</p>` });
  await api.post('/suppressions', { email: `${mark}-suppressed-${turn}@example.org`, reason: mark });
  await api.post('/webhooks', { name: `${mark} ${turn}`, url: `https://receiver.invalid/${mark}` });
  const campaign = (await api.post('/campaigns', { name: `${mark} ${turn}`, account_id: accountId })).body;
  await api.post(`/campaigns/${campaign.id}/steps`, { subject: mark, body_html: mark });
  await api.post(`/campaigns/${campaign.id}/contacts`, { contact_ids: [contact.id] });
}

/** Enables users and keys again: requests that disable them must not end the run. */
const revive = async ({ db }: App) => {
  await db.query(sql`update users set disabled_at = null where disabled_at is not null`);
  await db.query(sql`update api_keys set revoked_at = null where revoked_at is not null`);
};

interface Answered {
  what: string;
  status: number;
  milliseconds: number;
}

/** Sends requests at the same time, and repeats this while a response is slow. Throws if one is slow every time. */
async function checkAll(requests: readonly (readonly [GeneratedRequest, number])[]): Promise<Answered[]> {
  for (let time = 1; ; time++) {
    const answered = await Promise.all(requests.map(([each, index]) => check(each, keys[index] as Key)));
    const slow = answered.find(({ milliseconds }) => milliseconds > MAX_MILLISECONDS);
    if (slow === undefined) return answered;
    if (time === TIMES) throw new Error(`${slow.milliseconds} ms: ${slow.what}`);
    await pause(PAUSE_MILLISECONDS);
  }
}

async function check(request: GeneratedRequest, { key, foreign }: Key): Promise<Answered> {
  const begin = performance.now();
  const { isForm } = request.operation;
  const body = isForm ? formOf(Object(request.body)) : (JSON.stringify(request.body) ?? '');
  const response = await fetch(`${daemon.url}/api/v1${request.path}`, {
    method: request.method,
    headers: { authorization: `Bearer ${key}`, ...(isForm ? {} : { 'content-type': 'application/json' }) },
    ...(request.body === undefined || request.method === 'GET' ? {} : { body }),
  });
  const text = await response.text();
  const milliseconds = Math.round(performance.now() - begin);
  const what = `${request.method} ${request.path} ${JSON.stringify(request.body)} -> ${response.status} ${text.slice(0, 300)}`;
  if (response.status >= 500) throw new Error(`a 5xx: ${what}`);
  // Admins of the default workspace get a person's data from every workspace.
  const isOfEverywhere = request.operation.path.startsWith('/person');
  if (!isOfEverywhere && text.toLowerCase().includes(foreign.toLowerCase())) throw new Error(`another workspace's data: ${what}`);
  if (response.status === 204) {
    if (text !== '') throw new Error(`204 with a body: ${what}`);
    return { what, status: response.status, milliseconds };
  }
  const schema = request.operation.responses[response.status];
  if (schema === undefined) throw new Error(`an undocumented status: ${what}`);
  const wrong = misfit(schema, parsed(response, text));
  if (wrong !== '') throw new Error(`not as documented (${wrong}): ${what}`);
  return { what, status: response.status, milliseconds };
}

describe('any request', () => {
  it(`${REQUESTS} generated ones, with keys of every role in two workspaces: no 5xx, every answer as the document says, nothing leaks`, async () => {
    const statuses = new Map<number, number>();
    let slowest = 0;
    const request = fc.tuple(requestsOf(operations, components), fc.nat(keys.length - 1));
    const run = await fc.check(
      fc.asyncProperty(fc.array(request, { minLength: CONCURRENCY, maxLength: CONCURRENCY }), async (requests) => {
        for (const { status, milliseconds } of await checkAll(requests)) {
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
          slowest = Math.max(slowest, milliseconds);
        }
        await revive(installation.app);
      }),
      { numRuns: Math.ceil(REQUESTS / CONCURRENCY), seed: SEED, endOnFailure: true },
    );
    // fast-check would print a counterexample with the schemas of twenty operations; the request is enough.
    if (run.failed) throw new Error(`seed ${SEED}: ${run.errorInstance instanceof Error ? run.errorInstance.message : 'failed'}`);
    const counts = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${count} × ${status}`);
    console.log(`seed ${SEED}: ${counts.join(', ')}; the slowest took ${slowest} ms`);
    expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 201, 400, 403, 404]));
  }, 3_600_000);
});
