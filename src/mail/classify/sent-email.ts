/** The email of ours that a message answers, with the fields that classifying the answer needs. */
export interface SentEmail {
  /** The subject as it was sent. */
  subject: string;
  /** The text of this email and of the earlier ones in its thread, because an answer may repeat any of them. */
  text: string;
  /** The address that it was sent to. */
  recipient: string;
  /** Our addresses that a quotation may contain: that of the sender, and that for replies. */
  ours: readonly string[];
  /** True if the message contains the email's Message-ID or token, which only somebody who received the email knows. */
  isProved: boolean;
}
