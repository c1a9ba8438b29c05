import { type AnyTRPCRouter, TRPCError } from '@trpc/server';
import type { Request as ExpressRequest, Response as ExpressResponse, NextFunction } from 'express';
import { createOpenApiNodeHttpHandler } from 'trpc-openapi';
import { z } from 'zod';
import { authenticate } from '../access/index.ts';
import type { App } from '../app.ts';
import { type ErrorCode, notFound, OutreachError } from '../core/errors.ts';
import { MAX_ID } from '../fields/fields.ts';
import { type Answer, answerOnce, idempotencyKey } from './idempotency.ts';
import { HttpRefusal, refusalOf } from './refusals.ts';
import { bodyFields, noQuery, queryFields } from './request-fields.ts';
import { type Route, routeTable } from './routes.ts';
import { checkAccess, idsOf, type RequestContext } from './trpc.ts';

const STATUS: Record<ErrorCode, number> = {
  invalid_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  internal_error: 500,
};

type Call = (context: RequestContext, input: Record<string, unknown>) => Promise<Answer>;

/**
 * The shell around trpc-openapi that serves a router as REST. trpc-openapi finds the procedure, calls it and would
 * answer; everything that HTTP asks of us and it does not do is done here, once: the order of checks (401, 403, 404,
 * 400, 409), strict bodies (it coerces), bodies of DELETE, POST without one, the size limit, success statuses, and the
 * error envelope.
 */
export function restHandler(app: App, router: AnyTRPCRouter) {
  const table = routeTable(router);
  const calls = new Map<Route, Call>(table.routes.map((route) => [route, callThroughOpenApi(router, route)]));

  return async (req: ExpressRequest, res: ExpressResponse, next: NextFunction): Promise<void> => {
    try {
      const answer = await handle(app, table, calls, req, res);
      if (answer.isReplay) res.setHeader('Idempotent-Replayed', 'true');
      if (answer.status === 204) res.status(204).end();
      else res.status(answer.status).type('application/json').end(answer.text);
    } catch (error) {
      next(error);
    }
  };
}

async function handle(
  app: App,
  table: ReturnType<typeof routeTable>,
  calls: Map<Route, Call>,
  req: ExpressRequest,
  res: ExpressResponse,
): Promise<Answer> {
  const found = table.match(req.method, req.path);
  if (found !== undefined) res.locals.route = `${req.baseUrl}/${found.route.segments.join('/')}`;
  const identity = await authenticate(app.db, req.headers.authorization, req.ip ?? null);
  if (found === undefined) throw notFound(`${req.method} ${req.baseUrl}${req.path}`);
  const { route, params } = found;
  const call = calls.get(route);
  if (call === undefined) throw notFound('path');
  const context: RequestContext = { app, identity, caller: identity.caller };
  checkAccess(route.meta, context.caller);
  for (const value of Object.values(params)) if (!isId(value)) throw notFound('resource');
  try {
    const fields = req.method === 'GET' ? queryFields(req) : { ...noQuery(req), ...(await bodyFields(req, res, route)) };
    const work = (within: RequestContext) => call(within, { ...fields, ...params });
    const key = req.method === 'POST' ? req.get('idempotency-key') : undefined;
    if (key === undefined) return await work(context);
    return await answerOnce(context, { key: idempotencyKey(key), method: req.method, path: req.path, body: fields }, work);
  } catch (error) {
    // 404 comes before 400, for a body that can't even be read too.
    if (error instanceof OutreachError && error.code === 'invalid_request') await route.meta.target?.(context, idsOf(params));
    throw error;
  }
}

const isId = (text: string) => /^[1-9]\d{0,9}$/.test(text) && Number(text) <= MAX_ID;

/**
 * Calls one procedure through trpc-openapi. It is given a view of the router in which this procedure alone is served, as
 * POST / with any input: so it neither scans all routes, nor switches on coercion in schemas that bodies share, nor makes
 * an empty schema for every call. The view calls the procedure itself instead of through proxies of the router, and the
 * request is a fetch Request already, which saves one for its abort signal.
 */
function callThroughOpenApi(router: AnyTRPCRouter, route: Route): Call {
  const invoke = route.procedure as Procedure;
  const { type } = invoke._def;
  const served = { ...invoke._def, inputs: [z.unknown()], meta: { openapi: { method: 'POST', path: '/' } } };
  const view = {
    _def: { ...router._def, procedures: { call: { _def: served } } },
    createCaller: (ctx: RequestContext) => ({
      call: (input: unknown) =>
        invoke({ ctx, path: route.name, type, input: undefined, getRawInput: async () => input, signal: NEVER_ABORTED }),
    }),
  };
  const handler = createOpenApiNodeHttpHandler({
    router: view as never,
    createContext: (async ({ req }: { req: unknown }) => (req as OpenApiRequest).context) as never,
    onError: ({ req, error }: { req: unknown; error: TRPCError }) => {
      (req as OpenApiRequest).failure = error;
    },
  });
  return async (context, input) => {
    const request = new OpenApiRequest(context, input);
    let text = '';
    const response = {
      statusCode: 200,
      setHeader() {},
      end(body?: string) {
        text = body ?? '';
      },
    };
    await handler(request as never, response as never);
    if (request.failure !== undefined) throw refusalOf(request.failure);
    return { status: context.status ?? route.meta.status ?? 200, text };
  };
}

/** A procedure as the routers hold it. */
interface Procedure {
  (options: object): Promise<unknown>;
  _def: { type: 'query' | 'mutation' };
}

const JSON_HEADERS = new Headers({ 'content-type': 'application/json' });
const NEVER_ABORTED = new AbortController().signal;

/** What trpc-openapi reads of a request, and what we hand through it. */
class OpenApiRequest {
  readonly method = 'POST';
  readonly url = '/';
  readonly headers = JSON_HEADERS;
  readonly signal = NEVER_ABORTED;
  readonly context: RequestContext;
  readonly body: Record<string, unknown>;
  failure: TRPCError | undefined;

  constructor(context: RequestContext, body: Record<string, unknown>) {
    this.context = context;
    this.body = body;
  }
}
// For `instanceof`; a subclass would run the constructor of Request.
Object.setPrototypeOf(OpenApiRequest.prototype, Request.prototype);

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
