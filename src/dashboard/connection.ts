import { createTRPCClient, httpBatchLink, httpSubscriptionLink, splitLink, type TRPCClient } from '@trpc/client';
import { EventSource } from 'eventsource';
import type { AppRouter } from '../api/router.ts';
import { messageOf } from '../errors.ts';
import type { Push } from '../live/index.ts';

export type Api = TRPCClient<AppRouter>;

/** Where the daemon listens, for example `http://127.0.0.1:8025`, and the API key to speak with. */
export interface DaemonAddress {
  url: string;
  key: string;
}

/** A typed client of the daemon; streams run as server-sent events. */
export function apiOf({ url, key }: DaemonAddress): Api {
  const headers = { authorization: `Bearer ${key}` };
  const trpc = `${url.replace(/\/+$/, '')}/trpc`;
  return createTRPCClient<AppRouter>({
    links: [
      splitLink({
        condition: (operation) => operation.type === 'subscription',
        true: httpSubscriptionLink({
          url: trpc,
          EventSource,
          // An EventSource can't be given headers, but the function that it fetches with can.
          eventSourceOptions: { fetch: (input, init) => fetch(input, { ...init, headers: { ...init.headers, ...headers } }) },
        }),
        false: httpBatchLink({ url: trpc, headers }),
      }),
    ],
  });
}

export interface StreamListener {
  onPush(push: Push): void;
  /** The stream is cut; it comes back by itself. `reason` is for people. */
  onLost(reason: string): void;
}

const FIRST_RETRY_MILLISECONDS = 500;
const LONGEST_RETRY_MILLISECONDS = 10_000;

/** Keeps a stream of pushes open until it is closed: after a cut it is opened again, later and later. */
export function openStream(api: Api, listener: StreamListener): { close(): void } {
  let delay = FIRST_RETRY_MILLISECONDS;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  let subscription: { unsubscribe(): void } | undefined;

  const retry = (reason: string) => {
    subscription?.unsubscribe();
    subscription = undefined;
    if (isClosed || timer !== undefined) return;
    listener.onLost(reason);
    timer = setTimeout(() => {
      timer = undefined;
      open();
    }, delay);
    delay = Math.min(delay * 2, LONGEST_RETRY_MILLISECONDS);
  };
  const open = () => {
    subscription = api.live.watch.subscribe(
      {},
      {
        onData(push) {
          delay = FIRST_RETRY_MILLISECONDS;
          listener.onPush(push);
        },
        onConnectionStateChange: ({ state, error }) => {
          if (state === 'connecting' && error !== null) retry(messageOf(error));
        },
        onComplete: () => retry('the daemon stopped'),
        onError: (error) => retry(messageOf(error)),
      },
    );
  };
  open();
  return {
    close() {
      isClosed = true;
      clearTimeout(timer);
      subscription?.unsubscribe();
    },
  };
}
