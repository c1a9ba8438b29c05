import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { App } from '../app.ts';
import { invalid, messageOf } from '../core/errors.ts';
import { registry, watchProcess } from '../core/metrics.ts';
import { readGauges } from './gauges.ts';
import { openMetricsOf } from './open-metrics.ts';

export interface MetricsServer {
  /** Where it listens, for example `http://127.0.0.1:9025/metrics`. */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Serves `GET /metrics` on an address of its own, so that what is public and what is not never share a port: in the text
 * format of Prometheus, or as OpenMetrics for who asks for it. Throws one clear line when the address can't be had.
 */
export async function startMetrics(app: App, host: string, port: number): Promise<MetricsServer> {
  watchProcess();
  const server = createServer((request, response) => {
    answer(app, request, response).catch((error: unknown) => {
      app.log.error({ err: error }, 'metrics could not be given');
      response.destroy();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) =>
      reject(invalid(`metrics can't be served on ${host}:${port} (${messageOf(error)}); correct OUTREACH_METRICS_PORT`)),
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

async function answer(app: App, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method !== 'GET' || request.url?.split('?')[0] !== '/metrics') return void response.writeHead(404).end();
  await readGauges(app);
  const shown = request.headers.accept?.includes('application/openmetrics-text') === true ? openMetricsOf(registry) : registry;
  const text = await shown.metrics();
  response.writeHead(200, { 'Content-Type': shown.contentType, 'Cache-Control': 'no-store' }).end(text);
}
