/** What the inbound side makes of a message. `reply` means that a person wrote it. */
export const VERDICTS = [
  'reply',
  'auto_reply',
  'unsubscribe_request',
  'hard_bounce',
  'soft_bounce',
  'delay',
  'feedback_report',
  'other',
] as const;
export type Verdict = (typeof VERDICTS)[number];

export interface Classification {
  verdict: Verdict;
  /** The address that a bounce, delay or report is about. */
  recipient: string | null;
  /** RFC 3463 status code of a bounce, such as `5.1.1`. */
  status: string | null;
  /** The day on which somebody who is away returns, `YYYY-MM-DD`. */
  until: string | null;
  /** Why, most decisive first, in words for a person. */
  reasons: string[];
  /** Message-IDs found in what a bounce returns. */
  originalMessageIds: string[];
}

export const verdictOf = (verdict: Verdict, reason: string, more: Partial<Classification> = {}): Classification => ({
  verdict,
  recipient: null,
  status: null,
  until: null,
  originalMessageIds: [],
  ...more,
  reasons: [reason, ...(more.reasons ?? [])],
});
