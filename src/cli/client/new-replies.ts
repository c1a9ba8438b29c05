import { setTimeout as pause } from 'node:timers/promises';
import { type ErrorCode, messageOf, OutreachError } from '../../core/errors.ts';
import type { Api } from './api.ts';
import { apiError } from './api-error.ts';

/** A reply with its text and its thread. */
export type Reply = Awaited<ReturnType<Api['replies']['get']['query']>>;

export type ReplyFilter = Pick<NonNullable<Parameters<Api['replies']['list']['query']>[0]>, 'kind' | 'campaign_id' | 'account_id'>;

/** The largest page that the API serves. */
const PAGE = 200;

const NONE = { data: [] };

const FIRST_RETRY_MILLISECONDS = 1_000;
const LONGEST_RETRY_MILLISECONDS = 30_000;

/** Errors that asking again doesn't help. */
const FINAL: readonly ErrorCode[] = ['invalid_request', 'unauthorized', 'forbidden'];

export interface WatchOptions {
  signal: AbortSignal;
  /** URL of the server; undefined on this machine. */
  url: string | undefined;
  /** Told the reason once when a question fails, and null once one is answered again. */
  onTrouble(reason: string | null): void;
  /** Between two questions. */
  milliseconds?: number;
}

/**
 * Yields each reply that is recorded from now on, once, in the order of their ids, until the signal aborts. While the server can't be
 * asked it is asked again, and nothing is missed meanwhile. Throws what asking again would not help.
 */
export async function* newReplies(api: Api, filter: ReplyFilter, options: WatchOptions): AsyncGenerator<Reply> {
  const { signal, milliseconds = 1_000 } = options;
  let last = await lastId(api, filter);
  while (!signal.aborted) {
    const { data } =
      (await persistently(() => api.replies.list.query({ ...filter, after_id: last, limit: PAGE }, { signal }), options)) ?? NONE;
    for (const { id } of data) {
      const reply = await persistently(() => api.replies.get.query({ id }, { signal }), options);
      if (signal.aborted) return;
      if (reply !== null) yield reply;
      last = id;
    }
    if (data.length < PAGE) await pause(milliseconds, undefined, { signal }).catch(() => undefined);
  }
}

/** The id of the last reply that is recorded now: that of the newest, or of one recorded after it although it was received before. */
async function lastId(api: Api, filter: ReplyFilter): Promise<number> {
  const newest = await api.replies.list.query({ ...filter, limit: PAGE });
  let last = Math.max(0, ...newest.data.map(({ id }) => id));
  for (;;) {
    const { data } = await api.replies.list.query({ ...filter, after_id: last, limit: PAGE });
    last = data.at(-1)?.id ?? last;
    if (data.length < PAGE) return last;
  }
}

/** Calls until it succeeds; null once the signal aborts, and for what the caller can no longer see. */
async function persistently<Result>(call: () => Promise<Result>, { signal, url, onTrouble }: WatchOptions): Promise<Result | null> {
  for (let failures = 0; ; failures++) {
    try {
      const result = await call();
      if (failures > 0) onTrouble(null);
      return result;
    } catch (thrown) {
      if (signal.aborted) return null;
      const error = apiError(thrown, url);
      if (error instanceof OutreachError && error.code === 'not_found') return null;
      if (error instanceof OutreachError && FINAL.includes(error.code)) throw error;
      if (failures === 0) onTrouble(messageOf(error));
      await pause(Math.min(FIRST_RETRY_MILLISECONDS * 2 ** failures, LONGEST_RETRY_MILLISECONDS), undefined, { signal }).catch(
        () => undefined,
      );
    }
  }
}
