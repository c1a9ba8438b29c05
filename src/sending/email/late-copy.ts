import { MINUTE } from '../../core/clock.ts';

/** Time during which the Sent folder is searched, since a provider may file a copy late. Sequences wait for it in any campaign. */
export const LATE_COPY_WINDOW = 15 * MINUTE;
