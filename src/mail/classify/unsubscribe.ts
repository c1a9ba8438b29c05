import { type OptOut, optOutIn } from '../opt-outs/opt-out.ts';
import type { InboundMessage } from './message.ts';
import { isAnswerSubject, threadSubject } from './subject.ts';
import { hasMoreWords } from './word-count.ts';

/** The subject of messages to the address in List-Unsubscribe, as email clients write it (RFC 2369 §3.2). */
const BY_ADDRESS = /^unsubscribe(-[\w-]{8,})?$/i;

/** The subject that the List-Unsubscribe field of one email specifies. The token is from `messageKey`, or from `copyKey` for a copy. */
const WITH_TOKEN = /^unsubscribe-((?:[a-z2-7]{26}){1,2})$/;

/** Words that the author put before the subject of the answered email: "REMOVE ME Re: Hello". */
const BEFORE_PREFIX = /^(.+?)\s(?:re|aw|antw|sv|vs|fwd?|wg)\s?:/i;
/** If an answer has at most this many words, its subject counts as the author's words. */
const MAX_SHORT_ANSWER_WORDS = 3;

/**
 * Returns the token in the subject of a message to the address in List-Unsubscribe; null if there is none. Anyone can write a token, so it
 * proves nothing unless one of our emails has it. An answer to such a message is not such a message itself.
 */
export function removalToken({ subject }: InboundMessage): string | null {
  return isAnswerSubject(subject) ? null : (WITH_TOKEN.exec(threadSubject(subject))?.[1] ?? null);
}

/** An opt-out, with the reason in words for display. */
interface RemovalRequest {
  certainty: OptOut['certainty'];
  reason: string;
}

/**
 * Returns the opt-out in the text or subject of a message (CAN-SPAM §5(a)(4), GDPR Art. 7, 17 and 21); null if there is none.
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

/** Returns the part of a subject that its author wrote. The subject of an answer repeats ours. */
function ownSubject({ subject }: InboundMessage, own: string): string {
  const before = BEFORE_PREFIX.exec(subject)?.[1];
  if (before !== undefined) return before;
  return isAnswerSubject(subject) && hasMoreWords(own, MAX_SHORT_ANSWER_WORDS) ? '' : threadSubject(subject);
}
