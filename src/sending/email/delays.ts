import { HOUR, MINUTE } from '../../core/clock.ts';

/** Delays between the tries of one email, or of one copy for the Sent folder. What follows the last depends on what is tried. */
export const BACKOFF: readonly number[] = [15 * MINUTE, HOUR, 4 * HOUR];

/** Time during which the Sent folder is searched, since a provider may file a copy late. Sequences wait for it in any campaign. */
export const LATE_COPY_WINDOW = 15 * MINUTE;
