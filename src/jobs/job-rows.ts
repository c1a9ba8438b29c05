import type { JobParameters } from 'agenda';
import { MINUTE, systemClock } from '../core/clock.ts';

/** No job of an account is further ahead than its longest retry delay, unless a clock running ahead wrote it. */
const MAX_DELAY = 10 * MINUTE;

/** True for a recurring job whose next run is set and not further ahead than its period allows. */
export function hasNextRun({ nextRunAt, repeatInterval, lockedAt }: JobParameters): boolean {
  return nextRunAt instanceof Date && !isFarAhead(nextRunAt, Number(repeatInterval)) && !isFarAhead(lockedAt ?? null, 0);
}

/** True for a job that no daemon runs, and that is not due, so that none is about to. */
export const runsLater = ({ nextRunAt, lockedAt }: JobParameters): boolean =>
  !lockedAt && nextRunAt instanceof Date && nextRunAt > systemClock.now();

/**
 * True for a job of an account that has finished but was not removed, because the daemon or the store failed, or that is scheduled for a
 * wrong time.
 */
export function isLeftOver({ nextRunAt, lockedAt }: JobParameters): boolean {
  return (nextRunAt === null && !lockedAt) || isFarAhead(lockedAt ?? nextRunAt, 0);
}

/** Agenda uses the system clock, not the clock of the program. */
const isFarAhead = (time: Date | null, period: number): boolean =>
  time !== null && time.getTime() - systemClock.now().getTime() > period + MAX_DELAY;
