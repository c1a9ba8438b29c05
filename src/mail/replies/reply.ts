/**
 * The meaning of a refusal, by the server that we submit to or by one behind it (in a bounce):
 * - `hard`: the recipient does not exist or is disabled for good
 * - `soft`: the recipient cannot take mail now: mailbox full, too much mail
 * - `temp`: try again later
 * - `limit`: the account sends more than its provider allows
 * - `account`: the account may not send: login, suspension, no relaying
 * - `block`: the message is unwanted: reputation, policy, authentication of our domain
 * - `message`: the message itself is unacceptable: size, form, content
 */
export type ReplyClass = 'hard' | 'soft' | 'temp' | 'limit' | 'account' | 'block' | 'message';

export interface Reply {
  /** The phase of the session in which it came; `dsn` for the diagnostic of a bounce. */
  phase: 'connect' | 'auth' | 'mail' | 'rcpt' | 'data' | 'dsn';
  /** RFC 5321 reply code; null if only the text is known. */
  code: number | null;
  /** RFC 3463 status such as `5.1.1`, if it is known independently of the text. */
  enhanced: string | null;
  text: string;
  /** The email's recipient and sender, if known. Words in these addresses are ignored. */
  recipient?: string;
  sender?: string;
}

export interface ReplyVerdict {
  class: ReplyClass;
  /** The rule that decided, for logs and `mail classify`. */
  rule: string;
  /** False when no rule matched, so that codes and phase decided. */
  isKnown: boolean;
}
