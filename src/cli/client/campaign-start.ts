import { Flags } from '@oclif/core';
import { parseTimestamp } from '../../core/timestamp-text.ts';
import { localText } from '../../terminal/local-text.ts';
import { confirm, yesFlag } from '../confirm.ts';
import { TIMES, type TimeFrame } from '../instant.ts';

/** The flags of the commands that start campaigns. */
export const startFlags = {
  at: Flags.string({
    description: `time of the start in the zone of the campaign, ${TIMES} (default: now, or the planned start of a draft)`,
    helpValue: 'TIME',
  }),
  force: Flags.boolean({ description: 'start even if something keeps emails from leaving' }),
  yes: yesFlag,
};

/** Asks before a campaign that is sending stops until a new start. Throws `conflict` unless that is confirmed. */
export async function confirmStart(
  flags: { yes: boolean },
  { status, starts_at, name }: { status: string; starts_at: string | null; name: string },
  startsAt: string,
  { timezone, now }: TimeFrame,
): Promise<void> {
  const isSending = status === 'active' && (starts_at === null || parseTimestamp(starts_at) <= now);
  if (!isSending || new Date(startsAt) <= now) return;
  const question = `"${name}" is sending now. Stop it, and continue at ${localText(startsAt, timezone)}?`;
  await confirm(flags, question, 'nothing was changed');
}

/**
 * Says when an activated campaign starts, as the rest of a sentence, and whether a planned start was dropped.
 * @param startsAt its start now, as the API has it; null if it sends immediately
 * @param planned the start that was planned, if it was still to come
 */
export function startText(startsAt: string | null, planned: string | undefined, timezone: string): string {
  if (startsAt !== null) return ` and starts at ${localText(startsAt, timezone)}`;
  return planned === undefined ? '' : ` and starts now: the planned start at ${localText(planned, timezone)} was dropped`;
}
