import type { App } from '../app.ts';
import type { Classification, SentEmail } from '../mail/classify/index.ts';
import { sentText } from '../sending/index.ts';
import { isAboutDelivery, type Proof } from './evidence.ts';
import type { Match } from './match.ts';

/** Proofs that nobody can give who has not seen the email. */
const STRONG: readonly Proof[] = ['token', 'id', 'ref', 'thread'];

/** The email that a message answers, for reading it again; null for our own messages and for reports about delivery. */
export async function sentEmail(app: App, { email, proof, writer }: Match, { verdict }: Classification): Promise<SentEmail | null> {
  if (writer === 'us' || isAboutDelivery(verdict)) return null;
  return {
    subject: email.subject ?? '',
    text: await sentText(app, email.enrolmentId),
    recipient: email.recipient,
    ours: [email.senderEmail, ...(email.replyTo === null ? [] : [email.replyTo])],
    isProved: STRONG.includes(proof),
  };
}
