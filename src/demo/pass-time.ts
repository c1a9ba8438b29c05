import { setTimeout as pause } from 'node:timers/promises';
import { isAnyAccountBusy } from '../accounts/index.ts';
import type { App } from '../app.ts';
import type { ManualClock } from '../core/clock.ts';
import type { Crowd } from './crowd.ts';

/** Maximum real time for one step of the clock. After that the clock moves on, and unfinished work is late. */
const MAX_WAIT_MILLISECONDS = 5_000;
const LOOK_MILLISECONDS = 10;

/**
 * Moves the clock by one step and waits until the contacts and the daemon have done everything that is due. So days pass as
 * fast as the machine can work, and the result does not depend on its speed.
 * @param pace.step milliseconds of the demo's clock @param pace.atLeast minimum duration of the step in real milliseconds
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
  const isQuiet = async () => !crowd.isBusy && !(await isAnyAccountBusy(app.db, app.clock.now())) && !crowd.isBusy;
  while (!pace.signal.aborted && performance.now() - begun < MAX_WAIT_MILLISECONDS && !(await isQuiet())) await pause(LOOK_MILLISECONDS);
  const rest = pace.atLeast - (performance.now() - begun);
  if (rest > 0) await pause(rest, undefined, { signal: pace.signal }).catch(() => undefined);
}
