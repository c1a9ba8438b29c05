import { randomUUID } from 'node:crypto';
import { createTRPCClient, httpBatchLink, httpSubscriptionLink, retryLink, splitLink, type TRPCClient, type TRPCLink } from '@trpc/client';
import { EventSource } from 'eventsource';
import type { AppRouter } from '../api/routers/index.ts';
import { downloadLink, isDownload } from './download-link.ts';
import { httpFetch } from './http-fetch.ts';
import { jsonLink } from './json-link.ts';
import { repeatCutOff } from './repeat-cut-off.ts';
import { isPassing, retryDelay } from './retry.ts';

/** A typed client of every procedure. */
export type Client = TRPCClient<AppRouter>;

/** A server, and the options of its client. */
export interface ClientOptions {
  /** Address of the server, without `/trpc`. */
  url: string;
  /** API key. */
  key: string;
  /** Maximum number of retries of a call that got no response or that the server could not handle; 3 by default. */
  retries?: number;
  /** The delay before the first retry, which doubles with each further one; 500 by default. */
  retryMilliseconds?: number;
}

/** Maximum number of calls in one request, below the `limits.batch` of a server. */
const MAX_CALLS = 50;
/** In characters. Proxies refuse longer URLs. */
const MAX_ADDRESS = 4_000;

/**
 * Creates a client of a server, with the rights of the key. Queries made at the same moment are one request. With retries, each mutation
 * has an Idempotency-Key, so that a retried one is handled once; `context: { idempotencyKey }` of a call sets it. Without retries, only a call
 * made with `once` is retried, if its connection is cut. Subscriptions use server-sent events and reconnect by themselves.
 */
export function createClient({ url, key, retries = 3, retryMilliseconds = 500 }: ClientOptions): Client {
  const headers = { authorization: `Bearer ${key}` };
  const address = url.replace(/(?<!\/)\/+$/, '');
  const trpc = `${address}/trpc`;
  const links = splitLink({
    condition: ({ type }) => type === 'mutation',
    true: jsonLink({ url: trpc, key }),
    false: httpBatchLink({ url: trpc, headers, fetch: httpFetch, maxItems: MAX_CALLS, maxURLLength: MAX_ADDRESS }),
  });
  const retrying = retryLink<AppRouter>({
    retry: ({ attempts, error, op }) => attempts <= retries && !op.signal?.aborted && isPassing(error),
    retryDelayMs: (attempts) => retryDelay(attempts, retryMilliseconds),
  });
  return createTRPCClient<AppRouter>({
    links: [
      splitLink({
        condition: ({ type }) => type === 'subscription',
        true: httpSubscriptionLink({
          url: trpc,
          EventSource,
          // EventSource takes no headers, but its fetch function can add them.
          eventSourceOptions: { fetch: (input, init) => fetch(input, { ...init, headers: { ...init.headers, ...headers } }) },
        }),
        false: splitLink({
          condition: isDownload,
          true: downloadLink({ url: address, key }),
          false: retries > 0 ? [keyed, retrying, links] : [repeatCutOff(), links],
        }),
      }),
    ],
  });
}

/** Gives each mutation an Idempotency-Key, the same for all its retries. */
const keyed: TRPCLink<AppRouter> =
  () =>
  ({ op, next }) =>
    next(op.type === 'mutation' ? { ...op, context: { idempotencyKey: randomUUID(), ...op.context } } : op);
