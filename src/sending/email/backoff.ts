import { HOUR, MINUTE } from '../../core/clock.ts';

/** Delays between the tries of one email, or of one copy for the Sent folder. What follows the last depends on what is tried. */
export const BACKOFF: readonly number[] = [15 * MINUTE, HOUR, 4 * HOUR];
