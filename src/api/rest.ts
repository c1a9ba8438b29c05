import { promisify } from 'node:util';
import { gzip, type ZlibOptions } from 'node:zlib';
import { type AnyTRPCRouter, callTRPCProcedure, TRPCError } from '@trpc/server';
import type { Request as ExpressRequest, Response as ExpressResponse, NextFunction } from 'express';
import { authenticate } from '../access/index.ts';
import type { App } from '../app.ts';
import { clientAddress } from '../core/client-address.ts';
import { type ErrorCode, invalid, notFound, OutreachError } from '../core/errors.ts';
import { lockNameInTransaction } from '../db/lock.ts';
import { MAX_ID } from '../fields/fields.ts';
import { sendDownload } from './download.ts';
import { HttpError, toOutreachError } from './error-mapping.ts';
import { type ApiResponse, handleOnce, handleOnceCallingOut, idempotencyKey } from './idempotency.ts';
import { closed, hasLargeBody, type KeyLimits, RETRY_AFTER } from './key-limits.ts';
import { type Form, readForm } from './multipart.ts';
import { entityTag, gzippedTag, isConditional, isFresh, requireMatch } from './preconditions.ts';
import { requestApp } from './request-app.ts';
import { bodyFields, queryFields, writeQueryFields } from './request-fields.ts';
import { type FindRoute, type Route, type RouteMatch, routesOf } from './routes.ts';
import { checkAccess, idsOf, type RequestContext } from './trpc.ts';

const STATUS: Record<ErrorCode, number> = {
  invalid_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  too_many_requests: 429,
  internal_error: 500,
};

/**
 * Serves a router as REST. trpc-openapi finds the procedure for a request and tRPC calls it. trpc-openapi's own handler is
 * not used: it coerces types, ignores the body of a DELETE, and has another order of checks, other statuses and other
 * errors (docs/decisions/rest-through-trpc-openapi.md). Errors go to `errorHandler`.
 */
export function restHandler(app: App, router: AnyTRPCRouter, limits: KeyLimits) {
  const findRoute = routesOf(router);
  return async (req: ExpressRequest, res: ExpressResponse, next: NextFunction): Promise<void> => {
    const work = Promise.withResolvers<void>();
    // Until this settles the request counts against the limits: a slow client holds memory, and a client that has gone may leave work running.
    const over = Promise.all([work.promise, closed(res)]);
    try {
      // RFC 9110 §9.3.2: HEAD is a GET without the body, which Node omits.
      const method = req.method === 'HEAD' ? 'GET' : req.method;
      const match = findRoute(method, req.path);
      if (match !== undefined) res.locals.route = req.baseUrl + match.route.path;
      const identity = await authenticate(app, req.headers.authorization, clientAddress(req.ip));
      const { caller } = identity;
      limits.beginRequests(caller, over);
      if (match === undefined) throw notFound(`${req.method} ${req.baseUrl}${req.path}`);
      checkAccess(match.route.meta, caller);
      if (hasLargeBody(req.headers)) await limits.largeBody(caller, over);
      const db = limits.database(app.db, caller, over);
      const context = { app: requestApp(app, db, res.locals.requestId), identity, caller, limits };
      const reply = (within: RequestContext) => answer(router, match, within, req, res);
      await send(req, res, await (isConditional(method) ? ifMatching(context, req, findRoute, router, reply) : reply(context)));
    } catch (error) {
      next(error);
    } finally {
      work.resolve();
    }
  };
}

/** Calls the procedure of a request. Checks 404 before 400, and handles a keyed POST only once. */
async function answer(
  router: AnyTRPCRouter,
  match: RouteMatch,
  context: RequestContext,
  req: ExpressRequest,
  res: ExpressResponse,
): Promise<ApiResponse> {
  const { route } = match;
  const params = decoded(match.params);
  let form: Form | undefined;
  try {
    form = route.meta.upload && (await readForm(req, context, route.meta.upload));
    const fields =
      route.method === 'GET'
        ? queryFields(req)
        : { ...writeQueryFields(req, route), ...(form?.fields ?? (await bodyFields(req, res, { route, params }))) };
    const run = (within: RequestContext) => call(router, route, within, { ...fields, ...params });
    const key = req.method === 'POST' ? req.get('idempotency-key') : undefined;
    if (key === undefined) return await run(context);
    const once = route.meta.callsOut ? handleOnceCallingOut : handleOnce;
    return await once(context, { key: idempotencyKey(key), method: req.method, path: req.path, body: fields }, run);
  } catch (error) {
    // 404 comes before 400, even when the body can't be read.
    if (error instanceof OutreachError && error.code === 'invalid_request') await route.meta.target?.(context, idsOf(params));
    throw error;
  } finally {
    await form?.discard();
  }
}

/** Decodes the parameters of a path. Throws `not_found` for a malformed id. */
function decoded(params: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(params).map(([name, text]) => {
      if (name !== 'id' && !name.endsWith('_id')) return [name, decodedText(name, text)];
      if (!isId(text)) throw notFound('resource');
      return [name, text];
    }),
  );
}

function decodedText(name: string, text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw invalid(`${name}: must be percent-encoded UTF-8`);
  }
}

const isId = (text: string) => /^[1-9]\d{0,9}$/.test(text) && Number(text) <= MAX_ID;

/** Calls a procedure, which validates the input. Throws every error as an OutreachError. */
async function call(router: AnyTRPCRouter, { name, type, meta }: Route, context: RequestContext, input: object): Promise<ApiResponse> {
  try {
    const getRawInput = async () => input;
    const procedureCall = { router, path: name, type, ctx: context, getRawInput, signal: undefined, batchIndex: 0 };
    const output: unknown = await callTRPCProcedure(procedureCall);
    if (meta.download !== undefined)
      return { status: 200, body: '', download: { type: typeIn(meta.download, input), pieces: output as never } };
    const status = context.status ?? meta.status ?? 200;
    return { status, body: status === 204 ? '' : JSON.stringify(output), ...(context.headers && { headers: context.headers }) };
  } catch (error) {
    throw toOutreachError(error);
  }
}

/** Returns the media type of the requested `format`; the first is the default. */
const typeIn = (types: Readonly<Record<string, string>>, input: { format?: unknown }): string =>
  types[String(input.format ?? Object.keys(types)[0])] ?? '';

/** Express would send the same type, but look it up for each response. */
const JSON_TYPE = 'application/json; charset=utf-8';

async function send(req: ExpressRequest, res: ExpressResponse, response: ApiResponse): Promise<void> {
  const { status, body, headers = {}, isReplay, download } = response;
  if (download !== undefined) return req.method === 'HEAD' ? void res.status(200).type(download.type).end() : sendDownload(res, download);
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
  if (isReplay) res.setHeader('Idempotent-Replayed', 'true');
  if (status === 204) return void res.status(204).end();
  const tag = req.method === 'POST' ? undefined : entityTag(body);
  if (tag !== undefined && isFresh(req.get('if-none-match'), tag)) return void res.status(304).setHeader('ETag', tag).end();
  res.status(status).setHeader('Content-Type', JSON_TYPE).setHeader('Vary', 'Accept-Encoding');
  if (body.length < MIN_GZIP_LENGTH) {
    if (tag !== undefined) res.setHeader('ETag', tag);
    // Sent as a string, which Node writes together with the headers.
    return void res.end(body);
  }
  // Sent as a Buffer: while a slow client reads it, it waits outside the heap.
  const bytes = Buffer.from(body);
  const isGzipped = req.acceptsEncodings('gzip') !== false;
  if (tag !== undefined) res.setHeader('ETag', isGzipped ? gzippedTag(tag) : tag);
  if (!isGzipped) return void res.end(bytes);
  res.setHeader('Content-Encoding', 'gzip').end(await compressed(bytes));
}

/** In characters: from this size on, gzip saves more than it costs. A page of 200 contacts has 50 KB, and 5 KB compressed. */
const MIN_GZIP_LENGTH = 1_024;
const gzipped = promisify(gzip) as (bytes: Buffer, options: ZlibOptions) => Promise<Buffer>;
const compressed = (bytes: Buffer) => gzipped(bytes, { level: 1 });

/**
 * Carries out a write if its `If-Match` names the current body of a GET of the same path. Writes to one path with that header take a lock in
 * a transaction: of two writes that read the same state, the second is refused. Throws 412, with the code `invalid_request`.
 */
async function ifMatching(
  context: RequestContext,
  req: ExpressRequest,
  findRoute: FindRoute,
  router: AnyTRPCRouter,
  write: (context: RequestContext) => Promise<ApiResponse>,
): Promise<ApiResponse> {
  const wanted = req.get('if-match');
  const reading = findRoute('GET', req.path);
  if (wanted === undefined || reading === undefined) return write(context);
  return context.app.db.tx(async (tx) => {
    await lockNameInTransaction(tx, `if-match ${req.path}`);
    const within = { ...context, app: { ...context.app, db: context.app.db.within(tx) } };
    requireMatch(wanted, (await call(router, reading.route, within, decoded(reading.params))).body);
    return write(within);
  });
}

/** The last middleware: sends the errors of every path in the error envelope, and logs those that the client did not cause. */
export function errorHandler(app: App) {
  return (thrown: unknown, req: ExpressRequest, res: ExpressResponse, _next: NextFunction): void => {
    const error = thrown instanceof OutreachError || thrown instanceof TRPCError ? toOutreachError(thrown) : expressError(thrown);
    if (error.code === 'internal_error') {
      // Log the template of the route, because a path may contain a token.
      const request = { request_id: res.locals.requestId, method: req.method, route: res.locals.route };
      app.log.error({ ...request, err: error.cause ?? thrown }, 'request failed');
    }
    if (res.headersSent) {
      res.end();
      return;
    }
    if (error.code === 'unauthorized') res.setHeader('WWW-Authenticate', 'Bearer');
    if (error.code === 'too_many_requests') res.setHeader('Retry-After', error.retryAfter ?? RETRY_AFTER);
    res.status(error instanceof HttpError ? error.status : STATUS[error.code]);
    const { code, message, serverSaid } = error;
    res.json({ error: { code, message, ...(serverSaid === undefined ? {} : { server_said: serverSaid }) } });
  };
}

/** Errors that express throws itself, such as for a malformed percent-encoding, carry a 4xx status. */
function expressError(error: unknown): OutreachError {
  const { status } = (error ?? {}) as { status?: unknown };
  if (typeof status === 'number' && status >= 400 && status < 500) return new HttpError(status, 'malformed request');
  return toOutreachError(error);
}
