import { TRPCClientError, type TRPCLink } from '@trpc/client';
import { observable } from '@trpc/server/observable';
import type { AppRouter } from '../../api/routers/index.ts';
import { httpFetch } from './http-fetch.ts';
import type { Login } from './login.ts';

/** The answer of /trpc to one call: a result or an error, as the protocol has them. */
type Answer = { result: { data?: unknown } } | { error: object };

/**
 * Sends each call as a request of its own, like tRPC's httpLink. That one asks whether the input is a form, and with this question Node
 * loads its `fetch`, which a command has no other use for.
 */
export const jsonLink =
  ({ url, key }: Login): TRPCLink<AppRouter> =>
  () =>
  ({ op: { type, path, input, signal } }) =>
    observable((observer) => {
      const headers = { authorization: `Bearer ${key}`, ...(type === 'mutation' ? { 'content-type': 'application/json' } : {}) };
      const text = JSON.stringify(input);
      const query = type === 'mutation' || text === undefined ? '' : `?input=${encodeURIComponent(text)}`;
      const body = type === 'mutation' ? text : undefined;
      httpFetch(`${url}/trpc/${path}${query}`, { method: type === 'mutation' ? 'POST' : 'GET', headers, body, signal })
        .then((answer) => answer.json())
        .then((answer) => {
          const found = answer as Answer;
          if ('error' in found) throw TRPCClientError.from(found as Parameters<typeof TRPCClientError.from>[0]);
          observer.next({ result: { type: 'data', data: found.result.data } });
          observer.complete();
        })
        .catch((error: Error) => observer.error(TRPCClientError.from(error)));
    });
