import type { CauseWords } from '../../core/cause-text.ts';

/** A rule: who is enrolled into another campaign, when, and into which. */
export interface Subsequence extends CauseWords {
  /** Days from the cause to the enrolment. */
  wait_days: number;
  campaign_id: number;
}
