import { createTRPCClient, httpSubscriptionLink, splitLink } from '@trpc/client';
import { EventSource } from 'eventsource';
import type { AppRouter } from '../../api/routers/index.ts';
import type { Api } from './api.ts';
import { downloadLink, isDownload } from './download-link.ts';
import { jsonLink } from './json-link.ts';
import type { Login } from './login.ts';

/** Creates a client of a server, with the rights of the key; subscriptions run over server-sent events. */
export function remoteApi({ url, key }: Login): Api {
  const headers = { authorization: `Bearer ${key}` };
  const trpc = `${url}/trpc`;
  return createTRPCClient<AppRouter>({
    links: [
      splitLink({
        condition: ({ type }) => type === 'subscription',
        true: httpSubscriptionLink({
          url: trpc,
          EventSource,
          // An EventSource takes no headers, but its fetch function can add them.
          eventSourceOptions: { fetch: (input, init) => fetch(input, { ...init, headers: { ...init.headers, ...headers } }) },
        }),
        false: splitLink({ condition: isDownload, true: downloadLink({ url, key }), false: jsonLink({ url, key }) }),
      }),
    ],
  });
}
