import { type OptOut, optOutIn } from '../opt-outs/opt-out.ts';
import type { InboundMessage } from './message.ts';
import { isAnswerSubject, threadSubject } from './subject.ts';
import { hasMoreWords } from './word-count.ts';

/** The subject of the address in List-Unsubscribe, as an email client writes it (RFC 2369 §3.2). */
const BY_ADDRESS = /^unsubscribe(-[\w-]{8,})?$/i;

/** The subject that List-Unsubscribe of one email asks for; `messageKey` makes the token, and `copyKey` that of a copy. */
const WITH_TOKEN = /^unsubscribe-((?:[a-z2-7]{26}){1,2})$/;

/** The words before the subject of the email that was answered: "REMOVE ME Re: Hello". */
const BEFORE_PREFIX = /^(.+?)\s(?:re|aw|antw|sv|vs|fwd?|wg)\s?:/i;
/** An answer that says nothing more than this leaves it to its subject. */
const FEW_WORDS = 3;

/**
 * The token in the subject of a message to the address in List-Unsubscribe; null if there is none. Anyone can write a token:
 * only an email of ours that has it proves anything. An answer to such a message is one of its own.
 */
export function removalToken({ subject }: InboundMessage): string | null {
  return isAnswerSubject(subject) ? null : (WITH_TOKEN.exec(threadSubject(subject))?.[1] ?? null);
}

/** A request for no more email, with its reason in words for a person. */
interface RemovalRequest {
  certainty: OptOut['certainty'];
  reason: string;
}

/**
 * The request for no more email that a message has in its text or subject (CAN-SPAM §5(a)(4), GDPR Art. 7, 17 and 21); null if it has none.
 * @param own the author's own words
 * @param isBulk only a certain request counts in bulk mail
 */
export function removalRequest(message: InboundMessage, own: string, isBulk: boolean): RemovalRequest | null {
  if (BY_ADDRESS.test(threadSubject(message.subject))) return { certainty: 'certain', reason: 'subject asks to unsubscribe' };
  const inText = optOutIn(own, isBulk);
  if (inText?.certainty === 'certain') return { certainty: 'certain', reason: 'asks to unsubscribe in a sentence' };
  const inSubject = optOutIn(ownSubject(message, own), isBulk);
  if (inSubject?.certainty === 'certain') return { certainty: 'certain', reason: 'subject asks to unsubscribe' };
  const likely = inText ?? inSubject;
  if (likely === null) return null;
  const because = likely.because.length === 0 ? '' : `: it has ${likely.because.map((feature) => `"${feature}"`).join(', ')}`;
  return { certainty: 'likely', reason: `may ask to be removed${because}` };
}

/** The part of a subject that its author wrote: that of an answer repeats ours. */
function ownSubject({ subject }: InboundMessage, own: string): string {
  const before = BEFORE_PREFIX.exec(subject)?.[1];
  if (before !== undefined) return before;
  return isAnswerSubject(subject) && hasMoreWords(own, FEW_WORDS) ? '' : threadSubject(subject);
}
