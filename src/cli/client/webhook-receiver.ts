import { createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { request } from '../../client/http-fetch.ts';
import { conflict, messageOf } from '../../core/errors.ts';

/** A webhook message with a valid signature. */
export interface WebhookMessage {
  id: string;
  type: string;
  /** The bytes that were signed. */
  body: string;
  /** The headers to pass on: those of the signature, and the type of the content. */
  headers: Record<string, string>;
}

/** Handles a message and returns the HTTP status for Outreach. */
type Handle = (message: WebhookMessage) => Promise<number>;

/** A receiver of webhooks on this machine. */
export interface WebhookReceiver {
  url: string;
  /** Starts to accept messages that are signed with this secret, each once. Until then every message gets a 503 and is retried. */
  begin(secret: string, handle: Handle): void;
  close(): void;
}

/** Starts a receiver on loopback. @param port 0 for a free one. Throws `conflict` if the port is taken. */
export async function startReceiver(port: number): Promise<WebhookReceiver> {
  let answer = async (_: IncomingMessage): Promise<number> => 503;
  const server = createServer((req, res) => {
    answer(req).then(
      (status) => res.writeHead(status).end(),
      () => res.writeHead(500).end(),
    );
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening').catch((error: Error) => {
    throw conflict(`can't listen on port ${port}: ${messageOf(error)}; choose another with --port`);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    begin: (secret, handle) => {
      // Only this receiver has the secret, so an id that is recorded here is that of one of its messages.
      const taken = new Set<string>();
      answer = async (req) => {
        const message = await verified(req, secret);
        if (message === undefined) return 401;
        if (taken.has(message.id)) return 200;
        const status = await handle(message);
        if (status < 300) taken.add(message.id);
        return status;
      };
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** In bytes; larger than any message. */
const MAX_BODY = 4 * 1024 * 1024;

/** Reads the body of a request; undefined if it is too long. Any user of the machine can send such a request. */
async function bodyOf(req: IncomingMessage): Promise<string | undefined> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of req as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > MAX_BODY) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

/** Returns the message of a request; undefined unless it is signed with the secret (Standard Webhooks 1.0.0). */
async function verified(req: IncomingMessage, secret: string): Promise<WebhookMessage | undefined> {
  const body = await bodyOf(req);
  if (body === undefined) return undefined;
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature', 'content-type', 'user-agent'];
  const headers = Object.fromEntries(names.map((name) => [name, String(req.headers[name] ?? '')]));
  const { 'webhook-id': id = '', 'webhook-timestamp': timestamp, 'webhook-signature': given = '' } = headers;
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const right = Buffer.from(`v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`);
  const isOurs = given.split(' ').some((one) => one.length === right.length && timingSafeEqual(Buffer.from(one), right));
  return isOurs ? { id, type: String(JSON.parse(body).type), body, headers } : undefined;
}

/** Posts a message unchanged to another receiver. Returns the status of its response, or the reason why there was none. */
export async function passOn({ body, headers }: WebhookMessage, url: string): Promise<number | string> {
  try {
    const response = await request(new URL(url), { method: 'POST', body, headers });
    response.resume();
    return response.statusCode ?? 0;
  } catch (error) {
    return messageOf(error);
  }
}
