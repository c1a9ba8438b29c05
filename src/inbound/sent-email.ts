import type { App } from '../app.ts';
import type { Classification, SentEmail } from '../mail/classify/index.ts';
import { sentText } from '../sending/index.ts';
import { isAboutDelivery, type Proof } from './evidence.ts';
import type { Match } from './match.ts';

/** Proofs that only somebody who has seen the email can give. */
const UNFORGEABLE_PROOFS: readonly Proof[] = ['token', 'id', 'ref', 'thread'];

/** Returns the email that a message answers, for a second reading; null for our own messages and for delivery reports. */
export async function sentEmail(app: App, { email, proof, writer }: Match, { verdict }: Classification): Promise<SentEmail | null> {
  if (writer === 'us' || isAboutDelivery(verdict)) return null;
  return {
    subject: email.subject ?? '',
    text: await sentText(app, email.enrolmentId),
    recipient: email.recipient,
    ours: [email.senderEmail, ...(email.replyTo === null ? [] : [email.replyTo])],
    isProved: UNFORGEABLE_PROOFS.includes(proof),
  };
}
