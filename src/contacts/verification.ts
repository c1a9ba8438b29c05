/** `bad`: do not email; `risky`: may bounce, or annoy; `unknown`: the check had no result. */
export const VERDICTS = ['ok', 'risky', 'bad', 'unknown'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** Sources of a verdict: the checks of Outreach itself, or the verifier of the setting `verify_url`. */
export const VERIFIERS = ['outreach', 'hook'] as const;

/** The result of the check of an address, without its time. */
export interface Judgement {
  verdict: Verdict;
  /** A clause for people to read. */
  reason: string;
  source: (typeof VERIFIERS)[number];
}

/** The result of the last check of a contact's address, as it is stored and shown. */
export interface Verification extends Judgement {
  /** UTC, `YYYY-MM-DD HH:MM:SS`. */
  checked_at: string;
}
