import { setTimeout as pause } from 'node:timers/promises';
import type { inferProcedureInput, inferProcedureOutput } from '@trpc/server';
import type { AppRouter } from '../api/routers/index.ts';
import type { Client } from './create-client.ts';
import { MAX_PAGE_SIZE } from './pages.ts';

type List = AppRouter['events']['list'];

/** An event of the feed. */
export type FeedEvent = inferProcedureOutput<List>['data'][number];

/** The filter of `events.list`, and options for following the feed. */
export interface FeedOptions extends Pick<inferProcedureInput<List>, 'campaign_id' | 'contact_id' | 'type' | 'expand'> {
  /** Only events after the one with this id; 0, by default, for all. */
  after_id?: number;
  /** Ends the feed, which otherwise never ends. */
  signal?: AbortSignal;
  /** Pause between two requests when nothing is new; 1,000 by default. */
  milliseconds?: number;
}

/**
 * Yields every event once, by ascending id, and continues with new ones. Store the id of the last one that you have handled, and
 * start there after a restart. Throws the error of a call whose retries failed too.
 */
export async function* eachEvent(client: Pick<Client, 'events'>, options: FeedOptions = {}): AsyncGenerator<FeedEvent, void> {
  const { signal, milliseconds = 1_000, after_id = 0, ...filter } = options;
  for (let last = after_id; !signal?.aborted; ) {
    const page = client.events.list.query({ ...filter, after_id: last, limit: MAX_PAGE_SIZE }, signal && { signal });
    const { data } = await page.catch((error: unknown) => {
      if (signal?.aborted) return { data: [] };
      throw error;
    });
    for (const event of data) {
      yield event;
      last = event.id;
    }
    if (data.length < MAX_PAGE_SIZE) await pause(milliseconds, undefined, signal && { signal }).catch(() => undefined);
  }
}
