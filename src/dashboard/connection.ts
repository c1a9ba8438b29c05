import { type Client, createClient } from '../client/create-client.ts';
import { messageOf } from '../core/errors.ts';
import type { Push } from '../live/index.ts';

export type Api = Client;

/** URL of the daemon, for example `http://127.0.0.1:8025`, and the API key to use. */
export interface DaemonAddress {
  url: string;
  key: string;
}

/** Creates a client without retries: the user sees a failed call immediately and decides. */
export const createApi = (address: DaemonAddress): Api => createClient({ ...address, retries: 0 });

/** Returns the reason why a request failed, from its innermost cause: a refused connection rather than `fetch failed`. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause instanceof AggregateError) return reasonOf(cause.errors[0] ?? cause.message);
  return cause instanceof Error ? reasonOf(cause) : messageOf(error);
}

export interface StreamListener {
  onPush(push: Push): void;
  /** The stream was interrupted and will be reopened. `reason` is for people. */
  onLost(reason: string): void;
}

const FIRST_RETRY_MILLISECONDS = 500;
const MAX_RETRY_MILLISECONDS = 10_000;

/** Keeps a stream of pushes open until it is closed: reopens it after an interruption, with exponential backoff. */
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
    delay = Math.min(delay * 2, MAX_RETRY_MILLISECONDS);
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
          if (state === 'connecting' && error !== null) retry(reasonOf(error));
        },
        onComplete: () => retry('the daemon stopped'),
        onError: (error) => retry(reasonOf(error)),
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
