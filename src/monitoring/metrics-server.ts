import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { App } from '../app.ts';
import { invalid, messageOf } from '../core/errors.ts';
import { registry, watchProcess } from '../core/metrics.ts';
import { readMetrics } from './gauges.ts';
import { healthAnswer, type Readiness } from './health.ts';

interface MetricsAddress {
  metricsHost: string;
  metricsPort: number;
}

export interface MetricsServer {
  /** Address it listens on, for example `http://127.0.0.1:9025/metrics`. */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Serves `GET /metrics` in the text format of Prometheus, on an address of its own, so that metrics never share a port with the public API.
 * Also serves `/healthz` and `/readyz`, for a daemon without the API. Throws `invalid_request` if the address can't be bound.
 */
export async function startMetrics(
  app: App,
  readiness: Readiness,
  { metricsHost: host, metricsPort: port }: MetricsAddress,
): Promise<MetricsServer> {
  watchProcess();
  let reading: Promise<string> | undefined;
  // Requests that arrive during a read get its numbers.
  const read = () => {
    reading ??= readMetrics(app).finally(() => {
      reading = undefined;
    });
    return reading;
  };
  const server = createServer((request, response) => {
    respond(read, readiness, request, response).catch((error: unknown) => {
      app.log.error({ err: error }, 'could not serve the metrics');
      response.destroy();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) =>
      reject(invalid(`can't serve metrics on ${host}:${port} (${messageOf(error)}); set OUTREACH_METRICS_PORT to a free port`)),
    );
    server.listen(port, host, resolve);
  });
  const bound = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound.port}/metrics`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function respond(
  read: () => Promise<string>,
  readiness: Readiness,
  { method, url = '' }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const [path = ''] = url.split('?');
  const send = (status: number, type: string, text: string) =>
    response.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store' }).end(text);
  if (method !== 'GET' && method !== 'HEAD') return void response.writeHead(404).end();
  if (path === '/metrics') return void send(200, registry.contentType, await read());
  const health = await healthAnswer(path, readiness);
  if (health === undefined) return void response.writeHead(404).end();
  send(health.status, 'application/json', JSON.stringify(health.body));
}
