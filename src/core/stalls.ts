import { SECOND } from './clock.ts';
import type { Logger } from './log.ts';
import { runningJobs, stallSeconds } from './metrics.ts';

const BEAT_MILLISECONDS = 250;
/** A beat that comes this much too late is a stall. */
const MIN_STALL = SECOND;

interface Beat {
  /** Milliseconds by a clock that only moves forward. */
  at: number;
  /** Processor time that the process has used, in milliseconds. */
  processor: number;
}

/**
 * Describes a stall between two beats of the main thread; returns undefined if the second beat came in time. A late beat after hardly any
 * processor time means that the process was stopped, the machine was suspended or other processes took its processors.
 */
export function stallBetween(before: Beat, after: Beat): { seconds: number; wasBusy: boolean } | undefined {
  const late = after.at - before.at - BEAT_MILLISECONDS;
  if (late < MIN_STALL) return undefined;
  return { seconds: Math.round(late / 100) / 10, wasBusy: after.processor - before.processor > late / 2 };
}

const beatNow = (): Beat => {
  const { user, system } = process.cpuUsage();
  return { at: performance.now(), processor: (user + system) / 1_000 };
};

/**
 * Logs when one task blocks the main thread for a second or more, with the jobs that were running, and adds the time to /metrics. Returns a
 * function that ends this.
 */
export function watchStalls(log: Logger): () => void {
  let before = beatNow();
  const timer = setInterval(() => {
    const after = beatNow();
    const stall = stallBetween(before, after);
    before = after;
    if (stall === undefined) return;
    stallSeconds.inc(stall.seconds);
    log.warn(
      { seconds: stall.seconds, running: runningJobs() },
      stall.wasBusy ? 'the main thread was busy with one thing' : 'the process stood still, or the machine had no time for it',
    );
  }, BEAT_MILLISECONDS);
  return () => clearInterval(timer);
}
