/** The email of ours that a message answers, as far as reading the answer needs it. */
export interface SentEmail {
  /** Subject as it was sent. */
  subject: string;
  /** Text of this email and of those before it in its thread: an answer may repeat any of them. */
  text: string;
  /** The address that it was sent to. */
  recipient: string;
  /** Addresses of ours that a quotation may name: the sender's and the one for replies. */
  ours: readonly string[];
  /** True if the message names the email's Message-ID or token, which only somebody who got the email knows. */
  isProved: boolean;
}
