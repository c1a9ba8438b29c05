import { setTimeout as pause } from 'node:timers/promises';
import type { App } from '../app.ts';
import type { ManualClock } from '../core/clock.ts';
import { sql } from '../db/database.ts';
import type { Crowd } from './crowd.ts';

/** Real time that everybody is given for one step of the clock; after that it goes on, and they are late. */
const LONGEST_WAIT_MILLISECONDS = 5_000;
const LOOK_MILLISECONDS = 10;

/**
 * Moves the clock by one step, lets the people do what they do at that hour and the daemon what is due, and waits for
 * both: so days pass as fast as the machine can live them, and what happens does not depend on how fast that is.
 * @param pace.step milliseconds of the demo's clock @param pace.atLeast real milliseconds that the step takes
 */
export async function passTime(
  app: App,
  clock: ManualClock,
  crowd: Crowd,
  pace: { step: number; atLeast: number; signal: AbortSignal },
): Promise<void> {
  const begun = performance.now();
  clock.advance(pace.step);
  crowd.wake();
  const isQuiet = async () => !crowd.isBusy && !(await isWorkLeft(app)) && !crowd.isBusy;
  while (!pace.signal.aborted && performance.now() - begun < LONGEST_WAIT_MILLISECONDS && !(await isQuiet()))
    await pause(LOOK_MILLISECONDS);
  const rest = pace.atLeast - (performance.now() - begun);
  if (rest > 0) await pause(rest, undefined, { signal: pace.signal }).catch(() => undefined);
}

/** Whether a batch or a reading of the mailbox is due or going on. */
async function isWorkLeft(app: App): Promise<boolean> {
  const now = app.clock.now();
  const rows = await app.db.query(sql`
    select from accounts where (status = 'active' and next_batch_at <= ${now}) or batch_worker is not null
      or next_poll_at <= ${now} or poll_worker is not null`);
  return rows.length > 0;
}
