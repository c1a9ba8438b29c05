import { TRPCClientError, type TRPCLink } from '@trpc/client';
import { observable } from '@trpc/server/observable';
import type { AppRouter } from '../api/routers/index.ts';
import { httpFetch } from './http-fetch.ts';

/** The response of /trpc to one call: a result or an error. */
type Answer = { result: { data?: unknown } } | { error: object };

/** The URL of /trpc, and the key. */
interface Target {
  url: string;
  key: string;
}

/**
 * Sends each mutation as a request of its own, with the Idempotency-Key from its context, like tRPC's httpLink. httpLink checks whether the
 * input is a FormData, and the check makes Node load its `fetch`, which a command does not need otherwise.
 */
export const jsonLink =
  ({ url, key }: Target): TRPCLink<AppRouter> =>
  () =>
  ({ op: { path, input, signal, context } }) =>
    observable((observer) => {
      const { idempotencyKey } = context;
      const headers = {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        ...(typeof idempotencyKey === 'string' && { 'idempotency-key': idempotencyKey }),
      };
      httpFetch(`${url}/${path}`, { method: 'POST', headers, body: JSON.stringify(input), signal })
        .then((answer) => answer.json())
        .then((answer) => {
          const found = answer as Answer;
          if ('error' in found) throw TRPCClientError.from(found as Parameters<typeof TRPCClientError.from>[0]);
          observer.next({ result: { type: 'data', data: found.result.data } });
          observer.complete();
        })
        .catch((error: Error) => observer.error(TRPCClientError.from(error)));
    });
