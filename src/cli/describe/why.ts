import { localText } from '../../terminal/local-text.ts';
import type { Api } from '../client/api.ts';
import type { RotationLine } from '../client/rotation.ts';

/** Why a campaign, or the rotation group that it is in, sends or does not, and when its next email is due: one sentence a line. */
export async function whyText(
  api: Api,
  { id, timezone }: { id: number; timezone: string },
  group: RotationLine | undefined,
): Promise<string> {
  const { reasons, next_send_at } =
    group === undefined ? await api.sending.explain.query({ id }) : await api.sending.explainRotation.query({ id: group.id });
  const next = next_send_at === null ? [] : [`The next email is due at ${localText(next_send_at, timezone)}.`];
  return [...(reasons.length === 0 ? ['Sending now.'] : reasons), ...next].join('\n');
}
