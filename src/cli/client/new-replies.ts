import { setTimeout as pause } from 'node:timers/promises';
import { eachRecord, MAX_PAGE_SIZE } from '../../client/pages.ts';
import type { Api } from './api.ts';
import { persistently, type WatchOptions } from './persistently.ts';

/** A reply with its text and its thread. */
export type Reply = Awaited<ReturnType<Api['replies']['get']['query']>>;

/** A reply as lists show it. */
export type Labelled = Awaited<ReturnType<Api['replies']['list']['query']>>['data'][number];

export type ReplyFilter = Pick<NonNullable<Parameters<Api['replies']['list']['query']>[0]>, 'kind' | 'campaign_id' | 'account_id'>;

const EMPTY = { data: [] };

/**
 * Yields each reply that is recorded from now on once, in the order of ids, until the signal aborts. Retries while the server can't be
 * reached, and misses nothing meanwhile. Throws errors that a retry would not help.
 */
export async function* newReplies(api: Api, filter: ReplyFilter, options: WatchOptions): AsyncGenerator<Reply> {
  const { signal, milliseconds = 1_000 } = options;
  let last = await lastId(api, filter);
  while (!signal.aborted) {
    const { data } =
      (await persistently(() => api.replies.list.query({ ...filter, after_id: last, limit: MAX_PAGE_SIZE }, { signal }), options)) ?? EMPTY;
    for (const { id } of data) {
      const reply = await persistently(() => api.replies.get.query({ id }, { signal }), options);
      if (signal.aborted) return;
      if (reply !== null) yield reply;
      last = id;
    }
    if (data.length < MAX_PAGE_SIZE) await pause(milliseconds, undefined, { signal }).catch(() => undefined);
  }
}

/**
 * Yields each reply that gets one of the labels from now on, once for each label, until the signal aborts. Retries as `newReplies`
 * does. If more than 200 replies get a label between two polls, it finds those received last.
 */
export async function* newlyLabelled(api: Api, labels: readonly string[], options: WatchOptions): AsyncGenerator<Labelled> {
  const { signal, milliseconds = 1_000 } = options;
  const known = new Map<string, Set<number>>();
  for (const label of labels) {
    const labelled = await Array.fromAsync(eachRecord((page) => api.replies.list.query({ label, ...page })));
    known.set(label, new Set(labelled.map(({ id }) => id)));
  }
  while (!signal.aborted) {
    for (const [label, ids] of known) {
      const { data } = (await persistently(() => api.replies.list.query({ label, limit: MAX_PAGE_SIZE }, { signal }), options)) ?? EMPTY;
      for (const reply of data.filter(({ id }) => !ids.has(id))) {
        ids.add(reply.id);
        yield reply;
      }
    }
    await pause(milliseconds, undefined, { signal }).catch(() => undefined);
  }
}

/** Returns the highest id so far. It may belong to a reply that was received before the newest one but recorded after it. */
async function lastId(api: Api, filter: ReplyFilter): Promise<number> {
  const newest = await api.replies.list.query({ ...filter, limit: MAX_PAGE_SIZE });
  let last = Math.max(0, ...newest.data.map(({ id }) => id));
  for (;;) {
    const { data } = await api.replies.list.query({ ...filter, after_id: last, limit: MAX_PAGE_SIZE });
    last = data.at(-1)?.id ?? last;
    if (data.length < MAX_PAGE_SIZE) return last;
  }
}
