import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterFile } from './after-file.ts';

/** A proxy that cuts connections, and the requests that it received. */
export interface CuttingProxy {
  url: string;
  /** The paths and Idempotency-Keys of the requests whose path has the given text, in order. */
  readonly asked: { path: string; key: string | undefined }[];
  /** The next `times` of these requests get no answer, although the server has carried them out. */
  cut(times: number): void;
}

/** Serves a proxy of the server at `target`. It cuts requests whose path contains `path` after the server has answered. */
export async function cuttingProxy(target: string, path: string): Promise<CuttingProxy> {
  let cuts = 0;
  const asked: CuttingProxy['asked'] = [];
  const server = createServer(async (req, res) => {
    const body = await buffer(req);
    const isMeant = req.url?.includes(path) ?? false;
    if (isMeant) asked.push({ path: req.url ?? '', key: req.headers['idempotency-key'] as string | undefined });
    const { 'content-length': _, ...headers } = req.headers;
    const onward = request(new URL(req.url ?? '', target), { method: req.method ?? 'GET', headers }, async (answer) => {
      const text = await buffer(answer);
      if (isMeant && cuts-- > 0) return void req.socket.destroy();
      res.writeHead(answer.statusCode ?? 502, { 'content-type': answer.headers['content-type'] ?? 'text/plain' }).end(text);
    });
    onward.on('error', () => req.socket.destroy());
    onward.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterFile(async () => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    cut: (times) => {
      cuts = times;
    },
  };
}
