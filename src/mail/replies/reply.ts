/**
 * Meaning of a server's refusal, from the server that we submit to or from one behind it (in a bounce):
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
  /** Where in the session it came; `dsn` for the diagnostic of a bounce. */
  phase: 'connect' | 'auth' | 'mail' | 'rcpt' | 'data' | 'dsn';
  /** RFC 5321 reply code; null where only the text is known. */
  code: number | null;
  /** RFC 3463 status such as `5.1.1`, where it is known apart from the text. */
  enhanced: string | null;
  text: string;
  /** To whom the email was sent, and from whom, where that is known: words of these addresses mean nothing. */
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
