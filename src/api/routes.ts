import type { AnyTRPCRouter } from '@trpc/server';
import type { Meta } from './trpc.ts';

/** A REST route: where it is served, and the procedure behind it. */
export interface Route {
  method: string;
  /** Path segments; a parameter is written `{name}`. */
  segments: string[];
  /** Dotted path of the procedure in the router. */
  name: string;
  meta: Meta;
  /** The procedure itself, as trpc-openapi reads it. */
  procedure: unknown;
}

export interface RouteTable {
  readonly routes: Route[];
  /** The route of a request and its path parameters, or undefined. Fixed segments win over parameters. */
  match(method: string, path: string): { route: Route; params: Record<string, string> } | undefined;
}

interface RouterRecord {
  _def: { procedures: Record<string, { _def: { meta?: Meta } }> };
}

/** Reads the routes out of the router's own metadata. */
export function routeTable(router: AnyTRPCRouter): RouteTable {
  const routes = Object.entries((router as unknown as RouterRecord)._def.procedures).flatMap(([name, procedure]): Route[] => {
    const meta = procedure._def.meta;
    if (meta?.openapi === undefined) return [];
    return [{ method: meta.openapi.method, segments: meta.openapi.path.slice(1).split('/'), name, meta, procedure }];
  });
  const byShape = new Map<string, Route[]>();
  for (const route of routes) {
    const shape = `${route.method} ${route.segments.length}`;
    byShape.set(
      shape,
      [...(byShape.get(shape) ?? []), route].sort((a, b) => parameterCount(a) - parameterCount(b)),
    );
  }
  return {
    routes,
    match(method, path) {
      const segments = path.slice(1).split('/');
      for (const route of byShape.get(`${method} ${segments.length}`) ?? []) {
        const params = matchSegments(route.segments, segments);
        if (params !== undefined) return { route, params };
      }
      return undefined;
    },
  };
}

const parameterCount = (route: Route) => route.segments.filter((segment) => segment.startsWith('{')).length;

function matchSegments(pattern: string[], segments: string[]): Record<string, string> | undefined {
  const params: Record<string, string> = {};
  for (const [index, expected] of pattern.entries()) {
    const actual = segments[index] ?? '';
    if (expected.startsWith('{')) params[expected.slice(1, -1)] = actual;
    else if (expected !== actual) return undefined;
  }
  return params;
}
