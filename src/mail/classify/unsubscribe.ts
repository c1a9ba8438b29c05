import { optOutIn } from '../opt-outs/opt-out.ts';
import type { InboundMessage } from './message.ts';
import { isAnswerSubject, threadSubject } from './subject.ts';
import { hasMoreWords } from './word-count.ts';

/** The subject of the address in List-Unsubscribe, as a mail program writes it (RFC 2369 §3.2). */
const BY_ADDRESS = /^unsubscribe(-[\w-]{8,})?$/i;

/** The subject that List-Unsubscribe of one email asks for; `messageKey` makes the token. */
const WITH_TOKEN = /^unsubscribe-([a-z2-7]{26})$/;

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

/**
 * Why a message asks for no more email, in words for a person; null if it does not (CAN-SPAM §5(a)(4), GDPR Art. 7, 17 and 21).
 * @param own the author's own words
 */
export function unsubscribeReason(message: InboundMessage, own: string): string | null {
  if (BY_ADDRESS.test(threadSubject(message.subject))) return 'subject asks to unsubscribe';
  if (optOutIn(own) === 'certain') return 'asks to unsubscribe in a sentence';
  return optOutIn(ownSubject(message, own)) === 'certain' ? 'subject asks to unsubscribe' : null;
}

/** The part of a subject that its author wrote: that of an answer repeats ours. */
function ownSubject({ subject }: InboundMessage, own: string): string {
  const before = BEFORE_PREFIX.exec(subject)?.[1];
  if (before !== undefined) return before;
  return isAnswerSubject(subject) && hasMoreWords(own, FEW_WORDS) ? '' : threadSubject(subject);
}
