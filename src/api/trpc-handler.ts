import { type AnyTRPCRouter, TRPCError } from '@trpc/server';
import { createExpressMiddleware } from '@trpc/server/adapters/express';
import type { Request, RequestHandler, Response } from 'express';
import { authenticate, type Identity } from '../access/index.ts';
import type { App } from '../app.ts';
import { clientAddress } from '../core/client-address.ts';
import { invalid } from '../core/errors.ts';
import { toTrpcError } from './error-mapping.ts';
import { idempotencyKey } from './idempotency.ts';
import { closed, hasLargeBody, type KeyLimits, RETRY_AFTER } from './key-limits.ts';
import { requestApp } from './request-app.ts';
import { bodyText } from './request-body.ts';

/**
 * Serves a router under /trpc. tRPC's adapter would read the body of any client immediately, before it creates the context. Here it gets a
 * body that was read after the key was checked, within the limits of the key. Without a valid key, no body is read.
 * @param closing aborted when the server shuts down, which ends streams
 */
export const trpcHandler = (app: App, router: AnyTRPCRouter, limits: KeyLimits, closing: AbortSignal): RequestHandler =>
  createExpressMiddleware({
    router,
    maxBatchSize: app.config.limitsBatch,
    middleware: (req, res, next) => {
      receive(app, limits, req, res).then(
        () => next(),
        (error: unknown) => next(toTrpcError(error)),
      );
    },
    responseMeta: ({ errors }) =>
      errors.some(({ code }) => code === 'TOO_MANY_REQUESTS') ? { headers: { 'Retry-After': RETRY_AFTER } } : {},
    createContext: ({ req, res, info }) => {
      const { identity, over, run } = res.locals as Received;
      const { caller } = identity;
      try {
        if (info.type === 'subscription') limits.beginStream(caller, over);
        else if (req.method !== 'POST') limits.beginRequests(caller, over, info.calls.length);
      } catch (error) {
        throw toTrpcError(error);
      }
      const db = limits.database(app.db, caller, over);
      const connection = { closing, run, identify: identifyBy(app, req), idempotencyKey: keyOf(req, info.calls.length) };
      return { app: requestApp(app, db, res.locals.requestId), identity, caller, limits, connection };
    },
  });

/** Returns the Idempotency-Key of a mutation. Throws `invalid_request` if it is malformed or the request has several calls. */
function keyOf(req: Request, calls: number): string | undefined {
  const header = req.method === 'POST' ? req.get('idempotency-key') : undefined;
  if (header === undefined) return undefined;
  if (calls > 1) throw toTrpcError(invalid('Idempotency-Key: only for a single call, not for a batch'));
  try {
    return idempotencyKey(header);
  } catch (error) {
    throw toTrpcError(error);
  }
}

interface Received extends Work {
  identity: Identity;
}

/** The calls of one request, and when they are over. */
interface Work {
  run<Result>(call: () => Promise<Result>): Promise<Result>;
  /** Resolves when the response is closed and all calls have ended: a client that has gone may leave work running. */
  over: Promise<unknown>;
}

/** Tracks the calls of a request, which may outlast its response. */
export function workOf(res: Response): Work {
  const calls: Promise<unknown>[] = [];
  return {
    run: (call) => {
      if (res.closed) throw new TRPCError({ code: 'CLIENT_CLOSED_REQUEST' });
      const running = call();
      calls.push(running);
      return running;
    },
    over: closed(res).then(() => Promise.allSettled(calls)),
  };
}

const identifyBy = (app: App, req: Request) => () => authenticate(app, req.headers.authorization, clientAddress(req.ip));

/** Looks up the API key, and reads the body of a mutation. */
async function receive(app: App, limits: KeyLimits, req: Request, res: Response): Promise<void> {
  req.body = '';
  const identity = await identifyBy(app, req)();
  const work = workOf(res);
  Object.assign(res.locals, { identity, ...work } satisfies Received);
  if (req.method !== 'POST') return;
  // In a batch the path names the calls.
  limits.beginRequests(identity.caller, work.over, req.path.split(',').length);
  if (hasLargeBody(req.headers)) await limits.largeBody(identity.caller, work.over);
  req.body = await bodyText(req, res);
}
