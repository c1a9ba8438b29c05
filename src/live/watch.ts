import { setTimeout as pause } from 'node:timers/promises';
import type { Caller } from '../access/index.ts';
import type { App } from '../app.ts';
import { wireTime } from '../db/wire.ts';
import { changesBetween, type OverviewChanges } from './changes.ts';
import { EventTail, type LiveEvents } from './event-tail.ts';
import { FinishedCounts } from './finished-counts.ts';
import { type Overview, readOverview } from './overview.ts';

/** One push: what happened, what changed, and the daemon's time, which also says that the stream is alive. */
export interface Push {
  /** The daemon's clock: UTC, `YYYY-MM-DD HH:MM:SS`. */
  now: string;
  /** True for the first push, which carries everything and makes what was known before void. */
  is_first: boolean;
  changes: OverviewChanges | null;
  events: LiveEvents;
}

/** How often the log is looked at, and every how many looks the overview is read. */
const LOOK_MILLISECONDS = 500;
const LOOKS_PER_OVERVIEW = 2;

/**
 * Watches an installation for one caller until the signal ends it: first everything, then what changes. One process reads
 * the log that all daemons write, so it does not matter which of them is asked.
 * @param identify asks anew who the caller is; throws when the key was revoked or its owner disabled
 */
export async function* watch(app: App, identify: () => Promise<Caller>, signal: AbortSignal): AsyncGenerator<Push> {
  let caller = await identify();
  const tail = new EventTail(app);
  let events = await tail.start(caller);
  const counts = new FinishedCounts();
  let known: Overview | undefined;
  for (let look = 0; !signal.aborted; look++) {
    let changes: OverviewChanges | null = null;
    const isFirst = known === undefined;
    if (look % LOOKS_PER_OVERVIEW === 0) {
      caller = await identify();
      const overview = await readOverview(app.db, caller, app.clock.now(), counts);
      changes = changesBetween(known, overview);
      known = overview;
    }
    if (changes !== null || events.count > 0) yield { now: wireTime(app.clock.now()), is_first: isFirst, changes, events };
    await pause(LOOK_MILLISECONDS, undefined, { signal }).catch(() => undefined);
    if (!signal.aborted) events = await tail.next(caller);
  }
}
