import { setTimeout as pause } from 'node:timers/promises';
import type { Caller } from '../access/index.ts';
import type { App } from '../app.ts';
import { formatTimestamp } from '../core/timestamp-text.ts';
import { changesBetween, type OverviewChanges } from './changes.ts';
import { EventTail, type LiveEvents } from './event-tail.ts';
import { FinishedCounts } from './finished-counts.ts';
import { type Overview, readOverview } from './overview.ts';

/** One message of the stream: events, changed rows, and the daemon's time, which also shows that the stream is alive. */
export interface Push {
  /** The daemon's clock: UTC, `YYYY-MM-DD HH:MM:SS`. */
  now: string;
  /** True for the first push, which has everything and replaces earlier state. */
  is_first: boolean;
  changes: OverviewChanges | null;
  events: LiveEvents;
}

/** Interval at which the event log is read, and the number of reads for each read of the overview. */
const READ_MILLISECONDS = 500;
const READS_PER_OVERVIEW = 2;

/**
 * Streams the state of the installation to one caller until the signal aborts: first everything, then changes. It reads
 * the event log that all daemons write, so any of them can serve it.
 * @param identify authenticates the caller again; throws once the key is revoked or its owner disabled
 */
export async function* watch(app: App, identify: () => Promise<Caller>, signal: AbortSignal): AsyncGenerator<Push> {
  let caller = await identify();
  const tail = new EventTail(app);
  let events = await tail.start(caller);
  const counts = new FinishedCounts();
  let known: Overview | undefined;
  for (let reads = 0; !signal.aborted; reads++) {
    let changes: OverviewChanges | null = null;
    const isFirst = known === undefined;
    if (reads % READS_PER_OVERVIEW === 0) {
      caller = await identify();
      const overview = await readOverview(app, caller, app.clock.now(), counts);
      changes = changesBetween(known, overview);
      known = overview;
    }
    if (changes !== null || events.count > 0) yield { now: formatTimestamp(app.clock.now()), is_first: isFirst, changes, events };
    await pause(READ_MILLISECONDS, undefined, { signal }).catch(() => undefined);
    if (!signal.aborted) events = await tail.next(caller);
  }
}
