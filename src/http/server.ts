import { createServer, type Server } from 'node:http';
import type express from 'express';
import { rejectMalformed, rejectTarget } from '../api/malformed-requests.ts';
import type { App } from '../app.ts';
import { MINUTE, SECOND } from '../core/clock.ts';
import { invalid, messageOf } from '../core/errors.ts';
import type { Readiness } from '../monitoring/index.ts';
import { createExpressApp } from './express-app.ts';

export interface ApiServer {
  /** The address it listens on, such as `http://127.0.0.1:8025`. */
  readonly url: string;
  /** Stops accepting connections and resolves when the requests in flight are done. */
  close(): Promise<void>;
}

/** Time limits for clients, in milliseconds. All but `idleTimeout` are options of Node's `createServer`. */
export interface Timeouts {
  headersTimeout: number;
  requestTimeout: number;
  keepAliveTimeout: number;
  /** Interval at which the first two are checked. */
  connectionsCheckingInterval: number;
  /** Time without any traffic after which a connection is closed, for example if its client does not read. */
  idleTimeout: number;
}

const TIMEOUTS: Timeouts = {
  headersTimeout: 15 * SECOND,
  requestTimeout: 60 * SECOND,
  // Longer than proxies keep an idle connection: 60 s for nginx and Amazon's load balancers. A request that they send on a connection that
  // is just being closed fails with 502, and nginx does not retry a POST.
  keepAliveTimeout: 65 * SECOND,
  connectionsCheckingInterval: 5 * SECOND,
  idleTimeout: 2 * MINUTE,
};

/** Interval for closing idle connections during shutdown, in milliseconds. */
const SWEEP_INTERVAL = 50;

/** Starts the server on the host and port of the settings; port 0 picks a free one. Throws `invalid_request` if it can't listen there. */
export async function startApi(
  app: App,
  readiness: Readiness,
  pages: readonly express.Router[] = [],
  timeouts: Timeouts = TIMEOUTS,
): Promise<ApiServer> {
  const { host, port } = app.config;
  const closing = new AbortController();
  const { idleTimeout, ...nodeTimeouts } = timeouts;
  const api = createExpressApp(app, readiness, pages, closing.signal) as express.RequestHandler;
  const server = createServer({ ...nodeTimeouts, requireHostHeader: false }, (req, res) =>
    api(req as express.Request, res as express.Response, () => rejectTarget(res)),
  );
  server.setTimeout(idleTimeout);
  rejectMalformed(server);
  await listen(server, host, port);
  const bound = server.address();
  const boundPort = typeof bound === 'object' && bound !== null ? bound.port : port;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${boundPort}`,
    close: () =>
      new Promise((resolve) => {
        closing.abort();
        // An idle keep-alive connection would keep the server open for as long as its client likes.
        const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_INTERVAL);
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
        EADDRNOTAVAIL: `${host} is not an address of this machine; choose another with --host or OUTREACH_HOST`,
      };
      reject(invalid(reason[error.code ?? ''] ?? `can't listen on ${host}:${port}: ${messageOf(error)}`));
    });
    server.listen(port, host, resolve);
  });
}
