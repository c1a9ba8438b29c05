export const WARNING_CODES = [
  'account_gone',
  'account_not_active',
  'daily_limit_zero',
  'no_email_step',
  'windows_never_overlap',
  'windows_overlap_in_part',
  'replies_not_polled',
  'mailbox_unreadable',
  'copies_suppressed',
  'no_matching_account',
  'list_deleted',
  'risky_addresses',
  'not_reopened',
  'subsequence_gone',
  'subsequence_untracked',
  'subsequence_stopped',
  'nobody_can_opt_out',
  'no_opt_out',
  'no_postal_address',
  'no_signature',
  'takes_long',
  'content_refused',
  'unknown_placeholder',
  'spintax_off',
  'empty_value',
  'no_subject',
  'large_body',
  'link_not_https',
  'broken_link',
  'looks_like_spam',
  'not_tracked',
  'short_with_image',
] as const;
export type WarningCode = (typeof WARNING_CODES)[number];

/** Something to look at before a campaign is activated, as the API shows it. */
export interface CampaignWarning {
  code: WarningCode;
  /** True if it keeps emails from leaving. */
  is_blocking: boolean;
  /** The step it is about; null for the whole campaign. */
  step_order: number | null;
  /** Number of active contacts concerned, as far as the caller can see them; null if they were not counted. */
  contacts: number | null;
  /** A sentence without a full stop, beginning in lower case. */
  message: string;
}

type Rest = Partial<Pick<CampaignWarning, 'step_order' | 'contacts'>>;

const warning = (code: WarningCode, message: string, is_blocking: boolean, rest: Rest): CampaignWarning => ({
  code,
  is_blocking,
  step_order: null,
  contacts: null,
  ...rest,
  message,
});

/** A warning that does not prevent sending. */
export const warn = (code: WarningCode, message: string, rest: Rest = {}): CampaignWarning => warning(code, message, false, rest);

/** A warning about what keeps emails from leaving. */
export const block = (code: WarningCode, message: string, rest: Rest = {}): CampaignWarning => warning(code, message, true, rest);
