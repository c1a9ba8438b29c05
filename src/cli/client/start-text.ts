import { localText } from '../../terminal/local-text.ts';

/**
 * When a campaign that was activated starts, as the rest of a sentence: what became of a start that was planned before is told.
 * @param startsAt its start now, as the API has it; null where it sends at once
 * @param planned the start that was planned, if it was still to come
 */
export function startText(startsAt: string | null, planned: string | undefined, timezone: string): string {
  if (startsAt !== null) return ` and starts at ${localText(startsAt, timezone)}`;
  return planned === undefined ? '' : ` and starts now: the planned start at ${localText(planned, timezone)} was dropped`;
}
