import type { PollEnds } from '../campaigns/index.ts';
import type { Match, Reading } from './match.ts';

/** A message that was read. */
export interface Arrival {
  reading: Omit<Reading, 'match' | 'messageId' | 'identity' | 'content' | 'report'>;
  match: Match;
  /** The reply that it is; null for a bounce or complaint. */
  replyId: number | null;
  /** The enrolments that messages of the same poll have ended so far. */
  ends: PollEnds;
}
