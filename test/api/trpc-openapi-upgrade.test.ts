import { initTRPC } from '@trpc/server';
import { createProcedureCache, generateOpenApiDocument, getInputOutputParsers, type OpenApiMeta } from 'trpc-openapi';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { routesOf } from '../../src/api/routes.ts';

const t = initTRPC.meta<OpenApiMeta>().create();
const get = (path: `/${string}`) => t.procedure.meta({ openapi: { method: 'GET', path } });
const onThing = z.strictObject({ id: z.number() });

const router = t.router({
  search: t.router({
    search: get('/things/search')
      .output(z.string())
      .query(() => ''),
  }),
  things: t.router({
    get: get('/things/{id}')
      .input(onThing)
      .output(z.string())
      .query(() => ''),
    parts: get('/things/{id}/parts/{part_id}')
      .input(onThing.extend({ part_id: z.number() }))
      .output(z.string())
      .query(() => ''),
    native: t.procedure.query(() => ''),
  }),
});

describe('an upgrade of trpc-openapi breaks the API unless', () => {
  const find = createProcedureCache(router);

  it('createProcedureCache finds a procedure by method and path, with the parameters as text', () => {
    expect(find('GET', '/things/7')).toMatchObject({ procedure: { path: 'things.get', type: 'query' }, pathInput: { id: '7' } });
    expect(find('GET', '/things/7/parts/a%20b')?.pathInput).toEqual({ id: '7', part_id: 'a%20b' });
    expect(find('POST', '/things/7')).toBeUndefined();
    expect(find('GET', '/native')).toBeUndefined();
  });

  it('of two patterns that fit, the one registered first wins', () => {
    expect(find('GET', '/things/search')?.procedure?.path).toBe('search.search');
  });

  it('it finds the template of the document like a path', () => {
    expect(routesOf(router)('GET', '/things/{id}')?.route).toMatchObject({ path: '/things/{id}', name: 'things.get' });
  });

  it('getInputOutputParsers gives the schema of the input itself', () => {
    const procedure = find('GET', '/things/7')?.procedure?.procedure;
    expect(procedure && getInputOutputParsers(procedure).inputParser).toBe(onThing);
  });

  it('making the document leaves the schemas strict, unlike its request handler, which switches coercion on in place', () => {
    generateOpenApiDocument(router, { title: '', version: '1', baseUrl: '/' });
    expect(onThing.safeParse({ id: '7' }).success).toBe(false);
  });
});

describe('a path is case-sensitive', () => {
  it('though the patterns of trpc-openapi are not', () => {
    expect(createProcedureCache(router)('GET', '/Things/7')?.procedure?.path).toBe('things.get');
    expect(routesOf(router)('GET', '/Things/7')).toBeUndefined();
  });
});
