import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { App } from '../app.ts';
import { invalid, messageOf } from '../core/errors.ts';
import { registry, watchProcess } from '../core/metrics.ts';
import { readGauges } from './gauges.ts';

export interface MetricsServer {
  /** Address it listens on, for example `http://127.0.0.1:9025/metrics`. */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Serves `GET /metrics` on an address of its own, so that metrics never share a port with the public API, in the text
 * format of Prometheus. Throws `invalid_request` when the address can't be bound.
 */
export async function startMetrics(app: App, host: string, port: number): Promise<MetricsServer> {
  watchProcess();
  let reading: Promise<string> | undefined;
  // Whoever asks while they are read gets the same numbers.
  const read = () => {
    reading ??= readMetrics(app).finally(() => {
      reading = undefined;
    });
    return reading;
  };
  const server = createServer((request, response) => {
    respond(read, request, response).catch((error: unknown) => {
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

async function readMetrics(app: App): Promise<string> {
  await readGauges(app);
  return registry.metrics();
}

async function respond(read: () => Promise<string>, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method !== 'GET' || request.url?.split('?')[0] !== '/metrics') return void response.writeHead(404).end();
  const text = await read();
  response.writeHead(200, { 'Content-Type': registry.contentType, 'Cache-Control': 'no-store' }).end(text);
}
