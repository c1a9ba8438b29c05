import http from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { SECOND } from '../core/clock.ts';
import { messageOf } from '../core/errors.ts';
import { checkedAddresses, type GuardOptions, receiverUrl } from './address-guard.ts';

/** What a receiver answered, or why there was no answer. */
export interface PostResult {
  /** HTTP status; null when none came. */
  status: number | null;
  /** The beginning of the answer's body. */
  response: string | null;
  retryAfter: string | undefined;
  error: string | null;
  milliseconds: number;
}

export interface Poster {
  post(url: string, headers: Record<string, string>, body: string): Promise<PostResult>;
}

export interface PostOptions extends GuardOptions {
  /** For the whole attempt: name, connection, answer. */
  seconds?: number;
}

const ATTEMPT_SECONDS = 15;
/** As much of an answer is read; a longer one costs its connection. */
const MAX_ANSWER_BYTES = 64 * 1024;
const KEPT_CHARACTERS = 1_000;
const IDLE = 4 * SECOND;
/** Connections to one receiver, those of other workspaces included. */
const MAX_SOCKETS = 20;

/**
 * Posts to receivers over connections that are kept for a while. Agents of our own: no proxy of the environment, no
 * redirect, and a look-up that gives only checked addresses, at each new connection.
 */
export function createPoster({ allowPrivate, seconds = ATTEMPT_SECONDS }: PostOptions): Poster {
  const lookup = guardedLookup({ allowPrivate });
  const options = { keepAlive: true, timeout: IDLE, maxSockets: MAX_SOCKETS, scheduling: 'lifo', lookup } as const;
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
        const answer = await answerOf(first, body).catch((error: unknown) => {
          // A kept connection that the receiver closed at that moment says nothing of the receiver.
          if (first.reusedSocket && !signal.aborted && (error as NodeJS.ErrnoException).code === 'ECONNRESET')
            return answerOf(send(), body);
          throw error;
        });
        return { ...answer, error: null, milliseconds: milliseconds() };
      } catch (error) {
        const isTimeout = error instanceof Error && (error.name === 'AbortError' || error.name === 'TimeoutError');
        const reason = isTimeout ? `no answer within ${seconds} s` : reasonOf(error);
        return { ...nothing, error: reason, milliseconds: milliseconds() };
      }
    },
  };
}

type Answer = Pick<PostResult, 'status' | 'response' | 'retryAfter'>;

function answerOf(request: http.ClientRequest, body: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    request.once('error', reject);
    request.once('response', (response) => {
      const chunks: Buffer[] = [];
      let size = 0;
      // The status is the answer. Whatever happens to the body after it changes nothing.
      const finish = () => {
        const text = Buffer.concat(chunks).toString('utf8').replaceAll('\0', '').slice(0, KEPT_CHARACTERS).toWellFormed();
        resolve({ status: response.statusCode ?? null, response: text, retryAfter: response.headers['retry-after'] });
      };
      response.on('data', (chunk: Buffer) => {
        if (size < KEPT_CHARACTERS * 4) chunks.push(chunk.subarray(0, KEPT_CHARACTERS * 4));
        size += chunk.length;
        if (size > MAX_ANSWER_BYTES) response.destroy();
      });
      response.once('end', finish).once('close', finish).once('error', finish);
    });
    request.end(body);
  });
}

/** The look-up of a connection: `node:net` is given the checked addresses and no others. */
function guardedLookup(guard: GuardOptions): LookupFunction {
  return (hostname, options, callback) => {
    checkedAddresses(hostname, guard).then(
      (addresses) => {
        const [first] = addresses;
        if (options.all) callback(null, addresses);
        else if (first !== undefined) callback(null, first.address, first.family);
      },
      (error: unknown) => callback(error as NodeJS.ErrnoException, '', 0),
    );
  };
}

/** Node wraps what each of several addresses refused into one error without words. */
const reasonOf = (error: unknown): string =>
  (error instanceof AggregateError ? [...new Set(error.errors.map(messageOf))].join('; ') : messageOf(error)).slice(0, 500);
