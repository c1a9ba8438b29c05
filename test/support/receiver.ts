import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterFile } from './after-file.ts';

/** One received message. */
interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  /** The port it came from: the same for two messages over one connection. */
  port: number;
}

export interface Receiver {
  url: string;
  received: Received[];
  /** Sets the answer from now on. The default is 204. */
  answer(how: (res: ServerResponse, message: Received) => void): void;
  /** Ends every connection and listens no more. */
  close(): Promise<void>;
}

/** Starts a receiver of webhooks on loopback that keeps all messages. Closed after the file. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  let respond: (res: ServerResponse, message: Received) => void = (res) => res.writeHead(204).end();
  const listener: RequestListener = (req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      const message = { path: req.url ?? '', headers: req.headers, body, port: req.socket.remotePort ?? 0 };
      received.push(message);
      respond(res, message);
    });
  };
  const server = createServer({ keepAliveTimeout: 60_000 }, listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  afterFile(close);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    answer: (how) => {
      respond = how;
    },
    close,
  };
}
