import { lookup } from 'node:dns/promises';
import http from 'node:http';
import https from 'node:https';
import { SECOND } from '../core/clock.ts';
import { messageOf } from '../core/errors.ts';
import { type Network, NotPublic, publicLookup } from '../core/network.ts';
import { type GuardOptions, REMEDY, receiverUrl } from './address-guard.ts';

/** Response of a receiver, or the reason why there was none. */
export interface PostResult {
  /** HTTP status; null without a response. */
  status: number | null;
  /** The first characters of the response body: by default 1,000. */
  response: string | null;
  retryAfter: string | undefined;
  error: string | null;
  milliseconds: number;
}

/** Allows private addresses, too, and names that only this machine knows, such as those in /etc/hosts. */
const ANYWHERE: Network = { addressesOf: (host) => lookup(host, { all: true }), isPublic: () => true };

export interface Poster {
  post(url: string, headers: Record<string, string>, body: string): Promise<PostResult>;
}

export interface PostOptions extends GuardOptions {
  network: Network;
  /** Timeout of a whole attempt: DNS lookup, connection and response. */
  seconds?: number;
  /** Number of characters of a response body to keep. */
  kept?: number;
}

const ATTEMPT_SECONDS = 15;
/** Maximum bytes of a response that are read. For a longer one, the connection is closed. */
const MAX_RESPONSE_BYTES = 64 * 1024;
const KEPT_CHARACTERS = 1_000;
const SOCKET_IDLE_TIMEOUT = 4 * SECOND;
/** Maximum connections to one receiver, over all workspaces. */
const MAX_SOCKETS = 20;

/**
 * Creates a client that posts to receivers over keep-alive connections. It has its own agents, which use no proxy, follow
 * no redirect and connect to public addresses only, unless private ones are allowed. `post` never rejects.
 */
export function createPoster({ allowPrivate, network, seconds = ATTEMPT_SECONDS, kept = KEPT_CHARACTERS }: PostOptions): Poster {
  const options = {
    keepAlive: true,
    timeout: SOCKET_IDLE_TIMEOUT,
    maxSockets: MAX_SOCKETS,
    scheduling: 'lifo',
    lookup: publicLookup(allowPrivate ? ANYWHERE : network),
  } as const;
  const agents = { 'http:': new http.Agent(options), 'https:': new https.Agent(options) };

  return {
    async post(address, headers, body) {
      const startedAt = performance.now();
      const milliseconds = () => Math.round(performance.now() - startedAt);
      const signal = AbortSignal.timeout(seconds * SECOND);
      const nothing = { status: null, response: null, retryAfter: undefined };
      try {
        const url = new URL(receiverUrl(address, { allowPrivate }));
        const agent = agents[url.protocol as keyof typeof agents];
        const send = () =>
          (url.protocol === 'https:' ? https : http).request(url, {
            method: 'POST',
            agent,
            headers: { ...headers, 'content-length': Buffer.byteLength(body) },
            signal,
          });
        const first = send();
        const response = await responseTo(first, body, kept).catch((error: unknown) => {
          // The receiver may close an idle connection at any time (RFC 9112 §9.5). That is not a failure.
          if (first.reusedSocket && !signal.aborted && (error as NodeJS.ErrnoException).code === 'ECONNRESET')
            return responseTo(send(), body, kept);
          throw error;
        });
        return { ...response, error: null, milliseconds: milliseconds() };
      } catch (error) {
        const isTimeout = error instanceof Error && (error.name === 'AbortError' || error.name === 'TimeoutError');
        const reason = isTimeout ? `no response within ${seconds} s` : reasonOf(error);
        return { ...nothing, error: reason, milliseconds: milliseconds() };
      }
    },
  };
}

type PostResponse = Pick<PostResult, 'status' | 'response' | 'retryAfter'>;

function responseTo(request: http.ClientRequest, body: string, kept: number): Promise<PostResponse> {
  return new Promise((resolve, reject) => {
    request.once('error', reject);
    request.once('response', (response) => {
      const chunks: Buffer[] = [];
      let size = 0;
      // The status decides, so an error while the body is read does not matter.
      const finish = () => {
        const text = Buffer.concat(chunks).toString('utf8').replaceAll('\0', '').slice(0, kept).toWellFormed();
        resolve({ status: response.statusCode ?? null, response: text, retryAfter: response.headers['retry-after'] });
      };
      response.on('data', (chunk: Buffer) => {
        if (size < kept * 4) chunks.push(chunk.subarray(0, kept * 4));
        size += chunk.length;
        if (size > MAX_RESPONSE_BYTES) response.destroy();
      });
      response.once('end', finish).once('close', finish).once('error', finish);
    });
    request.end(body);
  });
}

/** Returns the message of a connection error. Node wraps the failures of several addresses into an AggregateError without a message. */
const reasonOf = (error: unknown): string => {
  if (error instanceof NotPublic) return `${messageOf(error)}; ${REMEDY}`;
  return (error instanceof AggregateError ? [...new Set(error.errors.map(messageOf))].join('; ') : messageOf(error)).slice(0, 500);
};
