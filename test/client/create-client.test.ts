import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { createClient } from '../../src/client/create-client.ts';
import { retryDelay } from '../../src/client/retry.ts';
import { afterFile } from '../support/after-file.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A server that gives these answers one after the other, the last one forever; `seen` fills with requests. */
async function serve(...answers: Answer[]) {
  const seen: { url: string; key: string | undefined }[] = [];
  const server = createServer((request, response) => {
    seen.push({ url: request.url ?? '', key: request.headers['idempotency-key'] as string | undefined });
    (answers[seen.length - 1] ?? answers.at(-1))?.(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterFile(async () => void server.close());
  const { port } = server.address() as AddressInfo;
  return { seen, client: createClient({ url: `http://127.0.0.1:${port}/`, key: 'ork_x', retryMilliseconds: 1 }) };
}

const hangUp: Answer = (request) => void request.socket.destroy();
const refuse =
  (httpStatus: number, code: string, message = 'no'): Answer =>
  (request, response) => {
    const error = { error: { message, code: -32_000, data: { httpStatus, error: code } } };
    response.writeHead(httpStatus).end(JSON.stringify(request.url?.includes('batch=1') ? [error] : error));
  };
const succeed: Answer = (request, response) => {
  const result = { result: { data: { id: 7 } } };
  const count = (request.url ?? '').split('?')[0]?.split(',').length ?? 1;
  response.end(JSON.stringify(request.url?.includes('batch=1') ? Array(count).fill(result) : result));
};

describe('the client', () => {
  it('makes one request of queries that are made at the same moment', async () => {
    const { client, seen } = await serve(succeed);
    const ids = [1, 2, 3].map((id) => client.contacts.get.query({ id }));
    expect(await Promise.all(ids)).toEqual([{ id: 7 }, { id: 7 }, { id: 7 }]);
    expect(seen).toHaveLength(1);
    expect(seen[0]?.url).toMatch(/^\/trpc\/contacts\.get,contacts\.get,contacts\.get\?batch=1/);
  });

  it('splits a batch that a server or a proxy would refuse', async () => {
    const { client, seen } = await serve(succeed);
    await Promise.all(Array.from({ length: 60 }, (_, id) => client.contacts.get.query({ id: id + 1 })));
    expect(seen.length).toBeGreaterThan(1);
    for (const { url } of seen) expect(url.length).toBeLessThanOrEqual(4_000);
  });

  it.each([
    ['a connection that breaks', hangUp],
    ['a proxy without a server', (_, response) => void response.writeHead(502).end('<html>Bad Gateway</html>')],
    ['a busy server', refuse(429, 'too_many_requests')],
    ['a failure of the server', refuse(500, 'internal_error')],
    ['the same request that still runs', refuse(409, 'conflict', 'a request with this Idempotency-Key is still running; try again')],
  ] satisfies [string, Answer][])('repeats a call after %s, with the key that it had', async (_, failure) => {
    const { client, seen } = await serve(failure, failure, succeed);
    expect(await client.contacts.create.mutate({ email: 'ada@example.org' })).toEqual({ id: 7 });
    expect(seen).toHaveLength(3);
    expect(new Set(seen.map(({ key }) => key)).size).toBe(1);
    expect(seen[0]?.key).toMatch(/^[0-9a-f-]{36}$/);
    expect(await client.contacts.create.mutate({ email: 'ada@example.org' })).toEqual({ id: 7 });
    expect(seen[3]?.key).not.toBe(seen[0]?.key);
  });

  it('sends the key that a call names', async () => {
    const { client, seen } = await serve(succeed);
    await client.contacts.create.mutate({ email: 'ada@example.org' }, { context: { idempotencyKey: 'order-17' } });
    expect(seen[0]?.key).toBe('order-17');
  });

  it.each([
    ['a refused input', refuse(400, 'invalid_request')],
    ['a key without the right', refuse(403, 'forbidden')],
    ['a conflict', refuse(409, 'conflict', 'contact 7 has this email already')],
  ] satisfies [string, Answer][])('throws %s at once', async (_, failure) => {
    const { client, seen } = await serve(failure);
    await expect(client.contacts.create.mutate({ email: 'ada@example.org' })).rejects.toMatchObject({
      data: { error: expect.any(String) },
    });
    expect(seen).toHaveLength(1);
  });

  it('gives up after three repetitions, with the error of the last', async () => {
    const { client, seen } = await serve(refuse(500, 'internal_error', 'first'), refuse(500, 'internal_error', 'last'));
    await expect(client.access.me.query({})).rejects.toThrow('last');
    expect(seen).toHaveLength(4);
  });
});

it('pauses twice as long before each repetition, half a minute at most', () => {
  expect([1, 2, 3, 10].map((attempts) => retryDelay(attempts, 500))).toEqual([500, 1_000, 2_000, 30_000]);
});
