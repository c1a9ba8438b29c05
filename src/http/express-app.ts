import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import express from 'express';
import helmet from 'helmet';
import { documentRoutes } from '../api/document-routes.ts';
import { KeyLimits } from '../api/key-limits.ts';
import { referencePages } from '../api/reference.ts';
import { errorHandler, restHandler } from '../api/rest.ts';
import { appRouter } from '../api/routers/index.ts';
import { trpcHandler } from '../api/trpc-handler.ts';
import type { App } from '../app.ts';
import { clientAddress } from '../core/client-address.ts';
import { invalid, notFound } from '../core/errors.ts';
import { mcpHandler } from '../mcp/http.ts';
import { healthAnswer, type Readiness } from '../monitoring/index.ts';
import { inviteRoutes } from './invite-page.ts';
import { LANDING_PAGE } from './landing-page.ts';
import { reportRoutes } from './report-routes.ts';
import { identifyRequests } from './request-ids.ts';
import { timeRequests } from './request-times.ts';

/**
 * Builds the express application: health checks, OpenAPI document, REST, tRPC, MCP and pages. Does not listen.
 * @param pages routers of other folders, mounted at the root
 * @param closing aborted when the server shuts down, which ends streams
 */
export function createExpressApp(app: App, readiness: Readiness, pages: readonly express.Router[], closing: AbortSignal): express.Express {
  const api = express();
  api.disable('x-powered-by');
  api.disable('etag');
  api.set('trust proxy', app.config.trustedProxies === '' ? false : app.config.trustedProxies);
  api.set('query parser', false);
  api.set('case sensitive routing', true);
  api.use(identifyRequests);
  api.use(timeRequests(app));
  api.use(bareForwardedAddresses);
  api.use(commonHeaders(app.config.baseUrl));
  api.get(['/healthz', '/readyz'], async (req, res, next) => {
    const answer = await healthAnswer(req.path, readiness);
    if (answer === undefined) next();
    else res.status(answer.status).json(answer.body);
  });
  api.use(documentRoutes(appRouter, app.config.baseUrl));
  const limits = new KeyLimits(app.config);
  api.use('/api/v1', restHandler(app, appRouter, limits));
  api.use('/trpc', trpcHandler(app, appRouter, limits, closing));
  api.use('/mcp', mcpHandler(app, appRouter, limits, closing));
  api.use('/docs', referencePages());
  api.get('/', (_req, res) => void res.set(LANDING_PAGE.headers).send(LANDING_PAGE.html));
  api.use('/invite', inviteRoutes(app));
  api.use('/r', reportRoutes(app));
  for (const routes of pages) api.use(routes);
  api.use((req, _res, next) => next(notFound(`${req.method} ${req.path}`)));
  api.use(errorHandler(app));
  return api;
}

/**
 * Removes ports and zones from X-Forwarded-For. Otherwise express would not recognize a proxy by its address and take it for the client.
 */
const bareForwardedAddresses: express.RequestHandler = (req, _res, next) => {
  const forwarded = req.headers['x-forwarded-for'];
  if (typeof forwarded === 'string')
    req.headers['x-forwarded-for'] = forwarded
      .split(',')
      .map((entry) => clientAddress(entry) ?? 'unknown')
      .join(', ');
  next();
};

/** Sets the headers that every response has, and requires a Host header. */
function commonHeaders(baseUrl: string): express.RequestHandler {
  const headers = [...securityHeaders(baseUrl), ['Cache-Control', 'no-store'] as const];
  return (req, res, next) => {
    for (const [name, value] of headers) res.setHeader(name, value);
    // RFC 9112 §3.2. Node would reject the request without the error envelope.
    next(req.headers.host === undefined && req.httpVersion !== '1.0' ? invalid('Host: is required') : undefined);
  };
}

/** A response that is never sent; it keeps the headers that are set on it. */
class UnsentResponse extends ServerResponse {
  readonly headers: [string, string][] = [];

  override setHeader(name: string, value: number | string | readonly string[]): this {
    this.headers.push([name, String(value)]);
    return this;
  }
}

/**
 * Returns the headers that helmet sets. They are the same for every response, so helmet runs once and not on every request. Without TLS,
 * pages must not tell the browser to load their files over it, or to use it for later requests.
 */
function securityHeaders(baseUrl: string): [string, string][] {
  const isEncrypted = baseUrl.startsWith('https:');
  const upgradeInsecureRequests = isEncrypted ? [] : null;
  // Other subdomains may belong to somebody else, who decides for them.
  const strictTransportSecurity = isEncrypted ? { includeSubDomains: false } : false;
  const request = new IncomingMessage(new Socket());
  const response = new UnsentResponse(request);
  helmet({ contentSecurityPolicy: { directives: { upgradeInsecureRequests } }, strictTransportSecurity })(
    request,
    response,
    () => undefined,
  );
  return response.headers;
}
