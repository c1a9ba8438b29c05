import { createTRPCClient, httpBatchLink, TRPCClientError } from '@trpc/client';
import type { inferRouterOutputs } from '@trpc/server';
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from 'vitest';
import type { AppRouter } from '../../src/api/router.ts';
import { type Daemon, startDaemon } from '../../src/daemon.ts';
import { testInstallation } from '../support/database.ts';

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
