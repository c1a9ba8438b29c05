import { type AnyTRPCRouter, callTRPCProcedure, TRPCError } from '@trpc/server';
import type { Request as ExpressRequest, Response as ExpressResponse, NextFunction } from 'express';
import { authenticate } from '../access/index.ts';
import type { App } from '../app.ts';
import { type ErrorCode, notFound, OutreachError } from '../core/errors.ts';
import { MAX_ID } from '../fields/fields.ts';
import { type Answer, answerOnce, idempotencyKey } from './idempotency.ts';
import { HttpRefusal, refusalOf } from './refusals.ts';
import { bodyFields, noQuery, queryFields } from './request-fields.ts';
import { type Route, type RouteMatch, routesOf } from './routes.ts';
import { checkAccess, idsOf, type RequestContext } from './trpc.ts';

const STATUS: Record<ErrorCode, number> = {
  invalid_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  internal_error: 500,
};

/**
 * Serves a router as REST. trpc-openapi says which procedure a request is for, tRPC calls it; trpc-openapi's own handler
 * is left out, since it coerces types, reads no body of a DELETE, and has neither our order of checks nor our statuses
 * and error envelope (docs/decisions/rest-through-trpc-openapi.md). Errors go to `next`: see `errorHandler`.
 */
export function restHandler(app: App, router: AnyTRPCRouter) {
  const findRoute = routesOf(router);
  return async (req: ExpressRequest, res: ExpressResponse, next: NextFunction): Promise<void> => {
    try {
      const match = findRoute(req.method, req.path);
      if (match !== undefined) res.locals.route = req.baseUrl + match.route.path;
      const identity = await authenticate(app.db, req.headers.authorization, req.ip ?? null);
      if (match === undefined) throw notFound(`${req.method} ${req.baseUrl}${req.path}`);
      send(res, await answer(router, match, { app, identity, caller: identity.caller }, req, res));
    } catch (error) {
      next(error);
    }
  };
}

/** Checks a request in the order 403, 404, 400, carries it out, and answers it once for each Idempotency-Key. */
async function answer(
  router: AnyTRPCRouter,
  match: RouteMatch,
  context: RequestContext,
  req: ExpressRequest,
  res: ExpressResponse,
): Promise<Answer> {
  const { route, params } = match;
  checkAccess(route.meta, context.caller);
  for (const id of Object.values(params)) if (!isId(id)) throw notFound('resource');
  try {
    const fields = req.method === 'GET' ? queryFields(req) : { ...noQuery(req), ...(await bodyFields(req, res, match)) };
    const work = (within: RequestContext) => call(router, route, within, { ...fields, ...params });
    const key = req.method === 'POST' ? req.get('idempotency-key') : undefined;
    if (key === undefined) return await work(context);
    return await answerOnce(context, { key: idempotencyKey(key), method: req.method, path: req.path, body: fields }, work);
  } catch (error) {
    // 404 comes before 400, even when the body can't be read.
    if (error instanceof OutreachError && error.code === 'invalid_request') await route.meta.target?.(context, idsOf(params));
    throw error;
  }
}

const isId = (text: string) => /^[1-9]\d{0,9}$/.test(text) && Number(text) <= MAX_ID;

/** Calls the procedure, which checks the input by its schema. Throws every error as an OutreachError. */
async function call(router: AnyTRPCRouter, { name, type, meta }: Route, context: RequestContext, input: object): Promise<Answer> {
  try {
    const output: unknown = await callTRPCProcedure({
      ...{ router, path: name, type, ctx: context, getRawInput: async () => input },
      ...{ signal: undefined, batchIndex: 0 },
    });
    const status = context.status ?? meta.status ?? 200;
    return { status, text: status === 204 ? '' : JSON.stringify(output) };
  } catch (error) {
    throw refusalOf(error);
  }
}

function send(res: ExpressResponse, { status, text, isReplay }: Answer): void {
  if (isReplay) res.setHeader('Idempotent-Replayed', 'true');
  if (status === 204) res.status(204).end();
  else res.status(status).type('application/json').end(text);
}

/** The last middleware: every error of every path in the one envelope. */
export function errorHandler(app: App) {
  return (error: unknown, _req: ExpressRequest, res: ExpressResponse, _next: NextFunction): void => {
    const refusal = error instanceof OutreachError || error instanceof TRPCError ? refusalOf(error) : httpRefusalOf(error);
    if (refusal.code === 'internal_error') app.log.error({ err: refusal.cause ?? error }, 'request failed');
    if (res.headersSent) {
      res.end();
      return;
    }
    if (refusal.code === 'unauthorized') res.setHeader('WWW-Authenticate', 'Bearer');
    res.status(refusal instanceof HttpRefusal ? refusal.status : STATUS[refusal.code]);
    res.json({ error: { code: refusal.code, message: refusal.message } });
  };
}

/** Errors that express itself throws carry a 4xx status (a malformed percent escape, for example). */
function httpRefusalOf(error: unknown): OutreachError {
  const { status } = (error ?? {}) as { status?: unknown };
  if (typeof status === 'number' && status >= 400 && status < 500) return new HttpRefusal(status, 'malformed request');
  return refusalOf(error);
}
