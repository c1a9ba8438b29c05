import { createTRPCClient, httpBatchLink, TRPCClientError } from '@trpc/client';
import type { inferRouterOutputs } from '@trpc/server';
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from 'vitest';
import type { AppRouter } from '../../src/api/routers/index.ts';
import { type Daemon, startDaemon } from '../../src/main/daemon.ts';
import { testInstallation } from '../support/database.ts';
import { fetchNative } from '../support/native.ts';

let daemon: Daemon;
let adminKey: string;

beforeAll(async () => {
  const installation = await testInstallation();
  adminKey = installation.adminKey;
  daemon = await startDaemon(installation.app, { worker: false, databaseUrl: installation.databaseUrl });
});
afterAll(() => daemon?.stop());

const client = (key: string) =>
  createTRPCClient<AppRouter>({ links: [httpBatchLink({ url: `${daemon.url}/trpc`, headers: { authorization: `Bearer ${key}` } })] });

describe('the same routers as native tRPC at /trpc', () => {
  it('a TypeScript client gets end-to-end types', async () => {
    const contact = await client(adminKey).contacts.create.mutate({ email: 'typed@example.org', name: 'Typed' });
    expectTypeOf(contact.email).toBeString();
    expectTypeOf(contact.company).toEqualTypeOf<string | null>();
    expect(contact).toMatchObject({ email: 'typed@example.org', name: 'Typed', is_archived: false });
    const read = await client(adminKey).contacts.get.query({ id: contact.id });
    expect(read).toEqual(contact);
  });

  it('what a client gets wrong, the compiler refuses', () => {
    const calls = () => {
      const typed = client(adminKey);
      // @ts-expect-error a contact needs an email
      typed.contacts.create.mutate({ name: 'Nobody' });
      // @ts-expect-error types are not coerced
      typed.contacts.update.mutate({ id: 1, is_shared_to_all: 'false' });
      // @ts-expect-error there is no such status
      typed.campaigns.list.query({ status: 'open' });
      // @ts-expect-error there is no such procedure
      typed.contacts.explode.mutate({ id: 1 });
    };
    expectTypeOf(calls).toBeFunction();
    expectTypeOf<inferRouterOutputs<AppRouter>['campaigns']['get']['status']>().toEqualTypeOf<
      'draft' | 'active' | 'paused' | 'completed'
    >();
  });

  it('rules and refusals are those of the REST API, with the same codes', async () => {
    const refusal = async (work: Promise<unknown>) => {
      const error = await work.then(() => undefined).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(TRPCClientError);
      return (error as TRPCClientError<AppRouter>).data;
    };
    expect(await refusal(client('ork_wrong').access.me.query({}))).toMatchObject({ httpStatus: 401, error: 'unauthorized' });
    expect(await refusal(client(adminKey).contacts.get.query({ id: 999_999 }))).toMatchObject({ httpStatus: 404, error: 'not_found' });
    const invalid = await refusal(client(adminKey).contacts.create.mutate({ email: 'no address' }));
    expect(invalid).toMatchObject({ httpStatus: 400, error: 'invalid_request' });
    expect(JSON.stringify(invalid)).not.toMatch(/node_modules|\.ts:/);
  });
});

const headers = (key: string) => ({ authorization: `Bearer ${key}`, 'content-type': 'application/json' });

const ask = (path: string, init: RequestInit = {}) => fetchNative(daemon.url ?? '', path, { headers: headers(adminKey), ...init });

describe('bad input at /trpc is refused as it is under /api/v1', () => {
  const nested = (levels: number) => `{"email":"a@example.org","custom_fields":${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}}`;

  it.each([
    ['JSON that is none', '{"email":', 400, 'not valid JSON'],
    ['a body over 5 MiB', JSON.stringify({ email: 'a@example.org', name: 'x'.repeat(5 * 1024 * 1024) }), 413, '5 MiB'],
    ['more than 20 levels', nested(25), 400, 'nested more than 20 levels deep'],
    ['a NUL', '{"email":"a@example.org","name":"a\\u0000b"}', 400, 'name: must not contain NUL'],
    ['a prototype', '{"email":"a@example.org","custom_fields":{"__proto__":{}}}', 400, 'unknown field "__proto__"'],
    ['too many items', JSON.stringify({ email: 'a@example.org', list_ids: Array(10_001).fill(1) }), 400, 'list_ids: at most 10,000 items'],
    ['no object', '7', 400, 'must be an object'],
  ])('%s', async (_what, body, status, message) => {
    const refused = await ask('contacts.create', { method: 'POST', body });
    expect(refused).toMatchObject({ status, code: 'invalid_request' });
    expect(refused.message).toContain(message);
  });

  it.each([
    ['a query that is no JSON', 'contacts.list?input={bad', {}, 400, 'invalid_request'],
    ['a NUL in a query', `contacts.list?input=${encodeURIComponent('{"q":"a\\u0000b"}')}`, {}, 400, 'invalid_request'],
    ['no such procedure', 'contacts.explode', {}, 404, 'not_found'],
    ['no procedure', '', {}, 404, 'not_found'],
    ['a mutation by GET', 'contacts.create?input={}', {}, 405, 'invalid_request'],
    ['a query by POST', 'contacts.list', { method: 'POST', body: '{}' }, 405, 'invalid_request'],
  ])('%s', async (_what, path, init, status, code) => {
    const refused = await ask(path, init);
    expect(refused).toMatchObject({ status, code });
    expect(refused.message).not.toContain('something went wrong');
  });

  it('a body that is not JSON', async () => {
    const authorization = `Bearer ${adminKey}`;
    const refused = await ask('contacts.create', { method: 'POST', body: 'x', headers: { authorization, 'content-type': 'text/plain' } });
    expect(refused).toMatchObject({ status: 415, code: 'invalid_request', message: expect.stringContaining('application/json') });
  });

  it('more than 100 procedures in one call', async () => {
    const answer = await fetch(`${daemon.url}/trpc/${Array(101).fill('access.me').join(',')}?batch=1&input={}`, {
      headers: headers(adminKey),
    });
    expect(answer.status).toBe(400);
  });
});
