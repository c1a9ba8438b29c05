import { createServer, IncomingMessage, type Server, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { createExpressMiddleware } from '@trpc/server/adapters/express';
import express from 'express';
import helmet from 'helmet';
import { authenticate } from '../access/index.ts';
import { openApiDocument } from '../api/openapi.ts';
import { referencePages } from '../api/reference.ts';
import { trpcErrorOf } from '../api/refusals.ts';
import { MAX_BODY_BYTES } from '../api/request-fields.ts';
import { errorHandler, restHandler } from '../api/rest.ts';
import { appRouter } from '../api/routers/index.ts';
import { answerUnreadable, answerUnroutable } from '../api/unreadable.ts';
import type { App } from '../app.ts';
import { MINUTE, SECOND } from '../core/clock.ts';
import { invalid, messageOf, notFound } from '../core/errors.ts';
import { inviteRoutes } from './invite-page.ts';
import { timeRequests } from './request-times.ts';

export interface ApiServer {
  /** Where it listens, for example `http://127.0.0.1:8025`. */
  readonly url: string;
  /** Takes no new connections, lets requests in flight finish, resolves when all are answered. */
  close(): Promise<void>;
}

export interface Readiness {
  /** Why the daemon can't serve now, or undefined when it can. */
  problem(): Promise<string | undefined>;
}

/** How many procedures one call under /trpc may name. */
const MAX_BATCH = 100;

/** Builds the express application: health, documents, REST, tRPC, and the pages of other rooms. No socket yet. */
function createApi(app: App, readiness: Readiness, pages: readonly express.Router[], closing: AbortSignal): express.Express {
  const api = express();
  api.disable('x-powered-by');
  api.disable('etag');
  api.set('trust proxy', app.config.trustedProxies === '' ? false : app.config.trustedProxies);
  api.set('query parser', false);
  api.set('case sensitive routing', true);
  api.use(timeRequests);
  const headers = [...securityHeaders(app.config.baseUrl), ['Cache-Control', 'no-store'] as const];
  api.use((req, res, next) => {
    for (const [name, value] of headers) res.setHeader(name, value);
    // RFC 9112 §3.2; Node would answer outside of the envelope.
    next(req.headers.host === undefined && req.httpVersion !== '1.0' ? invalid('Host: is required') : undefined);
  });

  // Alive: the process answers. Ready: it can also do its work; never asks mail servers.
  api.get('/healthz', (_req, res) => {
    res.json({ status: 'ok' });
  });
  api.get('/readyz', async (_req, res) => {
    const problem = await readiness.problem();
    if (problem === undefined) res.json({ status: 'ready' });
    else res.status(503).json({ error: { code: 'internal_error', message: problem } });
  });

  let document: object | undefined;
  api.get('/api/v1/openapi.json', (_req, res) => {
    document ??= openApiDocument(appRouter, `${app.config.baseUrl}/api/v1`);
    res.json(document);
  });
  api.use('/docs', referencePages());
  api.use('/invite', inviteRoutes(app));
  api.use('/api/v1', restHandler(app, appRouter));
  api.use(
    '/trpc',
    createExpressMiddleware({
      router: appRouter,
      maxBodySize: MAX_BODY_BYTES,
      maxBatchSize: MAX_BATCH,
      createContext: async ({ req }) => {
        const identify = () =>
          authenticate(app.db, req.headers.authorization, req.ip ?? null).catch((error: unknown) => {
            throw trpcErrorOf(error);
          });
        const identity = await identify();
        return { app, identity, caller: identity.caller, connection: { closing, identify } };
      },
    }),
  );
  for (const routes of pages) api.use(routes);
  api.use((req, _res, next) => next(notFound(`${req.method} ${req.path}`)));
  api.use(errorHandler(app));
  return api;
}

/** How long a client may take, in milliseconds; the defaults are Node's names. */
export interface Patience {
  headersTimeout: number;
  requestTimeout: number;
  keepAliveTimeout: number;
  /** How often the two are looked at. */
  connectionsCheckingInterval: number;
  /** With nothing sent or read in this time, for a client that does not take its answer, the connection ends. */
  silence: number;
}

const PATIENCE: Patience = {
  headersTimeout: 15 * SECOND,
  requestTimeout: 60 * SECOND,
  keepAliveTimeout: 5 * SECOND,
  connectionsCheckingInterval: 5 * SECOND,
  silence: 2 * MINUTE,
};

const SWEEP_MILLISECONDS = 50;

/** A response that is never sent: what is set on it is kept as it was written. */
class UnsentResponse extends ServerResponse {
  readonly headers: [string, string][] = [];

  override setHeader(name: string, value: number | string | readonly string[]): this {
    this.headers.push([name, String(value)]);
    return this;
  }
}

/**
 * The headers that helmet sets, which are the same on every response: asked for once, not fifteen times a request. Where
 * the API is served without TLS, our pages must not tell the browser to fetch their files with it.
 */
function securityHeaders(baseUrl: string): [string, string][] {
  const upgradeInsecureRequests = baseUrl.startsWith('https:') ? [] : null;
  const request = new IncomingMessage(new Socket());
  const response = new UnsentResponse(request);
  helmet({ contentSecurityPolicy: { directives: { upgradeInsecureRequests } } })(request, response, () => undefined);
  return response.headers;
}

/** Listens; port 0 takes a free one. Throws one clear line when the address can't be had. */
export async function startApi(
  app: App,
  readiness: Readiness,
  pages: readonly express.Router[] = [],
  patience: Patience = PATIENCE,
): Promise<ApiServer> {
  const { host, port } = app.config;
  const closing = new AbortController();
  const { silence, ...timeouts } = patience;
  const api = createApi(app, readiness, pages, closing.signal) as express.RequestHandler;
  const server = createServer({ ...timeouts, requireHostHeader: false }, (req, res) =>
    api(req as express.Request, res as express.Response, () => answerUnroutable(res)),
  );
  server.setTimeout(silence);
  answerUnreadable(server);
  await listen(server, host, port);
  const bound = server.address();
  const boundPort = typeof bound === 'object' && bound !== null ? bound.port : port;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${boundPort}`,
    close: () =>
      new Promise((resolve) => {
        closing.abort();
        // A kept connection whose answer is over would hold the server for as long as its client likes.
        const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MILLISECONDS);
        server.close(() => {
          clearInterval(sweep);
          resolve();
        });
      }),
  };
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const reason: Record<string, string> = {
        EADDRINUSE: `port ${port} on ${host} is in use; stop what listens there or choose another with --port or OUTREACH_PORT`,
        EACCES: `no permission to listen on port ${port}; choose one above 1023 with --port or OUTREACH_PORT`,
        EADDRNOTAVAIL: `${host} is no address of this machine; choose another with --host or OUTREACH_HOST`,
      };
      reject(invalid(reason[error.code ?? ''] ?? `can't listen on ${host}:${port}: ${messageOf(error)}`));
    });
    server.listen(port, host, resolve);
  });
}
