import { TRPCClientError, type TRPCLink } from '@trpc/client';
import { observable } from '@trpc/server/observable';
import type { AppRouter } from '../api/routers/index.ts';
import { httpFetch } from './http-fetch.ts';

/** The answer of /trpc to one call: a result or an error, as the protocol has them. */
type Answer = { result: { data?: unknown } } | { error: object };

/** The address of /trpc, and the key. */
interface Target {
  url: string;
  key: string;
}

/**
 * Sends each mutation as a request of its own, with the Idempotency-Key in its context, like tRPC's httpLink. That one asks whether the input is a form, and with this question Node
 * loads its `fetch`, which a command has no other use for.
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
