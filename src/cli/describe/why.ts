import { localText } from '../../terminal/local-text.ts';
import type { Api } from '../client/api.ts';

/** The common part of the explanations of a campaign and of a rotation group. */
type Explained = Pick<Awaited<ReturnType<Api['sending']['explain']['query']>>, 'reasons' | 'next_send_at'>;

/** Says why a campaign or a rotation group sends or does not, and when its next email is due: one sentence a line. */
export function whyText({ reasons, next_send_at }: Explained, timezone: string): string {
  const next = next_send_at === null ? [] : [`The next email is due at ${localText(next_send_at, timezone)}.`];
  return [...(reasons.length === 0 ? ['Sending now.'] : reasons), ...next].join('\n');
}
