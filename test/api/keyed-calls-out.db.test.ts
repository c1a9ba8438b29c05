import type { ServerResponse } from 'node:http';
import pg from 'pg';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { MINUTE } from '../../src/core/clock.ts';
import { sql } from '../../src/db/statement.ts';
import type { ApiClient } from '../support/api-client.ts';
import { endedOf } from '../support/ended.ts';
import { member } from '../support/people.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { refusal, servedInstallation } from '../support/served.ts';
import { waitUntil } from '../support/wait-until.ts';

let served: Awaited<ReturnType<typeof servedInstallation>>;
let api: ApiClient;

beforeAll(async () => {
  served = await servedInstallation({ webhooksAllowPrivate: true });
  api = served.api;
});

/** Creates a webhook whose receiver delays every response until `answer` is called. */
async function slowWebhook(): Promise<{ receiver: Receiver; answer: () => void; test: (key: string) => ReturnType<ApiClient['post']> }> {
  const receiver = await startReceiver();
  const waiting: ServerResponse[] = [];
  receiver.answer((res) => void waiting.push(res));
  const { id } = (await api.post('/webhooks', { url: receiver.url })).body;
  const answer = () => {
    receiver.answer((res) => res.writeHead(204).end());
    for (const res of waiting) res.writeHead(204).end();
  };
  return { receiver, answer, test: (key) => api.post(`/webhooks/${id}/test`, {}, { 'idempotency-key': key }) };
}

describe('A keyed POST that calls out', () => {
  it('holds no transaction: receivers that never answer keep nobody else waiting', async () => {
    const { receiver, answer, test } = await slowWebhook();
    const tests = Array.from({ length: 24 }, (_, index) => test(`slow ${index}`));
    await waitUntil('the receiver has every message', () => receiver.received.length >= 20);
    const ended = endedOf(tests);
    expect((await api.get('/contacts')).status).toBe(200);
    expect((await fetch(`${api.url}/readyz`)).status).toBe(200);
    expect(ended()).toBe(0);
    const open = await served.app.db.query(sql`
      select query from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`);
    expect(open).toEqual([]);
    answer();
    for (const { status } of await Promise.all(tests)) expect(status).toBe(200);
  });

  it('calls out once: a retry gets the stored response', async () => {
    const { receiver, answer, test } = await slowWebhook();
    answer();
    const first = await test('once');
    const second = await test('once');
    expect(second).toMatchObject({ status: 200, body: first.body });
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(receiver.received).toHaveLength(1);
  });

  it('a retry while it runs is 409, and one that failed may be sent again', async () => {
    const { receiver, answer, test } = await slowWebhook();
    const first = test('running');
    await waitUntil('the receiver has the message', () => receiver.received.length === 1);
    expect(await test('running')).toMatchObject(refusal(409, 'conflict', 'still running'));
    answer();
    expect((await first).status).toBe(200);
    const failing = () => api.post('/webhooks/999999/test', {}, { 'idempotency-key': 'failing' });
    expect(await failing()).toMatchObject(refusal(404, 'not_found'));
    expect(await failing()).toMatchObject(refusal(404, 'not_found'));
  });

  it('says why it failed, also where the key can not be freed', async () => {
    await served.app.db.query(sql`
      create or replace function stuck() returns trigger language plpgsql as $$ begin raise 'disk full'; end $$`);
    await served.app.db.query(sql`create trigger stuck before delete on idempotency_keys for each row execute function stuck()`);
    const logged = vi.spyOn(served.app.log, 'error').mockImplementation(() => undefined);
    const failing = () => api.post('/webhooks/999999/test', {}, { 'idempotency-key': 'stuck' });
    expect(await failing()).toMatchObject(refusal(404, 'not_found'));
    expect(logged.mock.calls).toMatchObject([
      [{ err: { message: expect.stringContaining('disk full') } }, expect.stringContaining('taken')],
    ]);
    logged.mockRestore();
    await served.app.db.query(sql`drop trigger stuck on idempotency_keys`);
  });

  it('the key of a process that died on the way is free again after two minutes', async () => {
    const { receiver, answer, test } = await slowWebhook();
    answer();
    await test('died');
    await served.app.db.query(sql`update idempotency_keys set status = null, body = null where key = 'died'`);
    expect(await test('died')).toMatchObject(refusal(409, 'conflict', 'still running'));
    served.clock.advance(2 * MINUTE);
    expect((await test('died')).status).toBe(200);
    expect(receiver.received).toHaveLength(2);
  });
});

it('keyed requests that wait for the same key keep no other API key waiting', async () => {
  const other = api.as((await member(served.app, 'manager')).key);
  const running = new pg.Client({ connectionString: served.databaseUrl });
  await running.connect();
  await running.query('begin');
  await running.query("insert into idempotency_keys (api_key_id, key, request_hash, created_at) values (1, 'busy', '', now())");
  const waiting = Array.from({ length: 12 }, () => api.post('/lists', { name: 'L' }, { 'idempotency-key': 'busy' }));
  await waitUntil('some of them wait', async () => {
    // Otherwise the transaction would see the connections of its first query forever.
    await running.query('select pg_stat_clear_snapshot()');
    const { rows } = await running.query("select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()");
    return rows.length >= 4;
  });
  const ended = endedOf(waiting);
  expect((await other.get('/suppressions')).status).toBe(200);
  expect((await fetch(`${api.url}/readyz`)).status).toBe(200);
  expect(ended()).toBe(0);
  await running.query('rollback');
  await running.end();
  for (const { status } of await Promise.all(waiting)) expect(status).toBe(201);
});
