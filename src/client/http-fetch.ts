import type * as http from 'node:http';
import { text } from 'node:stream/consumers';

/** The parts of a request that tRPC sets. */
interface RequestInit {
  method?: string | undefined;
  headers?: unknown;
  body?: unknown;
  signal?: AbortSignal | null | undefined;
}

/** The parts of a response that tRPC reads. */
interface HttpAnswer {
  ok: boolean;
  status: number;
  json(): Promise<unknown>;
}

/** A server that sends nothing for this long counts as gone; testing a mailbox may take most of it. */
const TIMEOUT_MILLISECONDS = 120_000;

/**
 * A `fetch` over node:http for the calls of a command. Node's own takes 90 ms of CPU to load, three times as much as an empty
 * program. It follows no redirects, so that the key in the headers goes only to the server it is for.
 */
export async function httpFetch(url: URL | string | { url: string }, init: RequestInit = {}): Promise<HttpAnswer> {
  const response = await request(new URL(url instanceof URL || typeof url === 'string' ? url : url.url), init);
  const { statusCode: status = 0 } = response;
  const answer = await text(response);
  return { ok: status >= 200 && status < 300, status, json: async () => JSON.parse(answer) };
}

/** Sends a request over node:http and resolves with the response once its headers are in. */
export function request(address: URL, { method = 'GET', headers, body, signal }: RequestInit = {}): Promise<http.IncomingMessage> {
  // An import would read all exports of the module, and reading WebSocket loads Node's own fetch.
  const client = process.getBuiltinModule(address.protocol === 'https:' ? 'node:https' : 'node:http');
  return new Promise((resolve, reject) => {
    const options = { method, headers: headers as http.OutgoingHttpHeaders, ...(signal ? { signal } : {}) };
    const sent = client.request(address, options, resolve);
    sent.setTimeout(TIMEOUT_MILLISECONDS, () => sent.destroy(new Error(`no answer within ${TIMEOUT_MILLISECONDS / 1_000} seconds`)));
    sent.once('error', reject);
    sent.end(body === undefined || body === null ? undefined : String(body));
  });
}
