import { setTimeout as pause } from 'node:timers/promises';
import { SECOND } from '../../core/clock.ts';
import { parseTimestamp } from '../../core/timestamp-text.ts';
import type { Api } from './api.ts';
import { persistently, type WatchOptions } from './persistently.ts';

/** A line of `outreach logs`. */
export type ActivityLine = Awaited<ReturnType<Api['activity']['list']['query']>>['data'][number];

/** Selects lines; if more than `limit` match, the latest. */
export type ActivityQuery = NonNullable<Parameters<Api['activity']['list']['query']>[0]> & { limit: number };

/** In milliseconds. A line that is committed up to this long after its time is still shown. */
const MAX_COMMIT_DELAY = 30 * SECOND;
const PAGE_SIZE = 10_000;

/**
 * Yields the lines that the query finds, then new lines, each once, until the signal aborts. It uses the times of the lines, so that
 * the clock of this machine does not matter. Retries while the server can't be reached.
 */
export async function* followActivity(api: Api, query: ActivityQuery, options: WatchOptions): AsyncGenerator<ActivityLine> {
  const { signal, milliseconds = SECOND } = options;
  let seen = new Set<string>();
  let { data: lines } = await api.activity.list.query(query);
  // Lines that the limit left out must not appear later.
  const after = lines.length === query.limit ? (lines[0]?.at ?? '') : '';
  let since = query.since;
  while (!signal.aborted) {
    for (const line of lines.filter(({ id }) => !seen.has(id))) {
      seen.add(line.id);
      yield line;
    }
    await pause(milliseconds, undefined, { signal }).catch(() => undefined);
    const newest = lines.at(-1)?.at;
    if (newest !== undefined) since = new Date(parseTimestamp(newest).getTime() - MAX_COMMIT_DELAY).toISOString();
    const read = () => api.activity.list.query({ ...query, since, limit: PAGE_SIZE }, { signal });
    const found = (await persistently(read, options))?.data ?? [];
    // No later query finds lines that are missing from this answer, so their ids can go.
    if (found.length > 0) seen = new Set(found.map(({ id }) => id).filter((id) => seen.has(id)));
    lines = found.filter(({ id, at }) => at > after || seen.has(id));
  }
}
