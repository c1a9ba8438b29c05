import { initTRPC } from '@trpc/server';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { routesOf } from '../../src/api/routes.ts';
import type { Meta } from '../../src/api/trpc.ts';

const t = initTRPC.meta<Meta>().create();
const get = (path: `/${string}`, parameters: z.ZodRawShape = {}) =>
  t.procedure
    .meta({ openapi: { method: 'GET', path } })
    .input(z.strictObject(parameters))
    .output(z.string())
    .query(() => '');

const find = routesOf(
  t.router({
    things: t.router({
      search: get('/things/search'),
      get: get('/things/{id}', { id: z.number() }),
      parts: get('/things/{id}/parts/{part_id}', { id: z.number(), part_id: z.number() }),
      native: t.procedure.query(() => ''),
    }),
  }),
);

describe('a route', () => {
  it('is found by its method and path, with the parameters as they are written', () => {
    expect(find('GET', '/things/7')).toMatchObject({ route: { name: 'things.get', path: '/things/{id}' }, params: { id: '7' } });
    expect(find('GET', '/things/7/parts/a%20b')?.params).toEqual({ id: '7', part_id: 'a%20b' });
    expect(find('POST', '/things/7')).toBeUndefined();
    expect(find('GET', '/native')).toBeUndefined();
  });

  it('is the one registered first where two fit', () => {
    expect(find('GET', '/things/search')?.route.name).toBe('things.search');
  });

  it('is found by the template of its path, too', () => {
    expect(find('GET', '/things/{id}')?.route).toMatchObject({ path: '/things/{id}', name: 'things.get' });
  });

  it('is not found by a path in another case', () => {
    expect(find('GET', '/Things/7')).toBeUndefined();
  });
});
