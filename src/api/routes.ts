import type { AnyTRPCRouter } from '@trpc/server';
import { createProcedureCache, type OpenApiMethod, type OpenApiProcedure } from 'trpc-openapi';
import type { Meta } from './trpc.ts';

/** A REST operation and its procedure. */
export interface Route {
  method: OpenApiMethod;
  /** Path template below /api/v1: `/contacts/{id}`. */
  path: string;
  /** Dotted name of the procedure in the router: `contacts.get`. */
  name: string;
  type: 'query' | 'mutation';
  meta: Meta;
  procedure: OpenApiProcedure;
}

export interface RouteMatch {
  route: Route;
  /** Path parameters by name, not decoded. */
  params: Record<string, string>;
}

/** Finds the route for a method and a path; the path template of an operation counts as a path. */
export type FindRoute = (method: string, path: string) => RouteMatch | undefined;

/**
 * Reads the REST routes that the procedures of a router declare in `meta.openapi`. If two routes match a path, the first
 * one registered wins: `/contacts/search` has to be registered before `/contacts/{id}`.
 */
export function routesOf(router: AnyTRPCRouter): FindRoute {
  const find = createProcedureCache(router);
  return (method, path) => {
    const found = find(method as OpenApiMethod, path);
    if (found?.procedure === undefined) return undefined;
    const { pathInput: params, procedure: entry } = found;
    const { procedure, path: name, type } = entry;
    const meta: Meta = procedure.meta;
    if (meta.openapi === undefined) return undefined;
    const { method: served, path: template } = meta.openapi;
    // trpc-openapi ignores case; paths are case-sensitive (RFC 3986 §6.2.2.1).
    if (filled(template, params) !== path) return undefined;
    return { route: { method: served, path: template, name, type, meta, procedure }, params };
  };
}

const filled = (template: string, params: Record<string, string>) =>
  template.replace(/\{([^{}]+)\}/g, (_, name: string) => params[name] ?? '');
