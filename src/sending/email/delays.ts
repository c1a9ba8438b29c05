import { HOUR, MINUTE } from '../../core/clock.ts';

/** Delays between attempts of one email, or of one copy for the Sent folder. Each caller decides what follows the last delay. */
export const BACKOFF: readonly number[] = [15 * MINUTE, HOUR, 4 * HOUR];

/** Time during which the Sent folder is searched, because a provider may file a copy late. Sequences wait for it in every campaign. */
export const LATE_COPY_WINDOW = 15 * MINUTE;
