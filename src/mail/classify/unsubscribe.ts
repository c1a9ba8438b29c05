import type { InboundMessage } from './message.ts';
import { REMOVAL_ALONE } from './phrases/removal-requests.ts';
import { REMOVAL_SENTENCES } from './phrases/removal-sentences.ts';
import { INSTRUCTION_OPENINGS, INSTRUCTIONS, PLEASE, THANKS } from './phrases/removal-words.ts';
import { isAnswerSubject, threadSubject } from './subject.ts';
import { hasMoreWords } from './word-count.ts';

/** A text that is nothing but the request, with "please" and "thank you" around it. */
const ALONE = new RegExp(
  `^[\\s"'*.!,-]*(?:${PLEASE.pattern}[\\s,]*)?${REMOVAL_ALONE.pattern}(?:[\\s,]*${THANKS.pattern})*[\\s"'*.!,;:)-]*$`,
  'iu',
);
/** "To unsubscribe, click here": lines that tell the reader how. */
const INSTRUCTION = new RegExp(
  `^.*(?:(?:^|[.!?:;,(]\\s*)to|\\b${INSTRUCTION_OPENINGS.pattern}\\b).{0,60}\\b${INSTRUCTIONS.pattern}\\b.*$`,
  'gimu',
);
/** The subject of the address in List-Unsubscribe, as a mail program writes it (RFC 2369 §3.2). */
const BY_ADDRESS = /^unsubscribe(-[\w-]{8,})?$/i;

/** The subject that List-Unsubscribe of one email asks for; `messageKey` makes the token, and `copyKey` that of a copy. */
const WITH_TOKEN = /^unsubscribe-((?:[a-z2-7]{26}){1,2})$/;

const MAX_WORDS = 70;
const MAX_ALONE = 120;

/**
 * The token in the subject of a message to the address in List-Unsubscribe; null if there is none. Anyone can write a token:
 * only an email of ours that has it proves anything. An answer to such a message is one of its own.
 */
export function removalToken({ subject }: InboundMessage): string | null {
  return isAnswerSubject(subject) ? null : (WITH_TOKEN.exec(threadSubject(subject))?.[1] ?? null);
}

/**
 * Why a message asks for no more email, in words for a person; null if it does not.
 * @param own the author's own words, because quotations, signatures and footers mention unsubscribing too
 */
export function unsubscribeReason(message: InboundMessage, own: string): string | null {
  const subject = threadSubject(message.subject);
  const text = own.trim();
  if (hasMoreWords(text, MAX_WORDS)) return null;
  if (BY_ADDRESS.test(subject)) return 'subject asks to unsubscribe';
  const opening = text.split(/\n\s*\n/).slice(0, 3);
  const firstLines = text.split('\n').slice(0, 3);
  // One line or paragraph that is the request is enough: a greeting may precede it, and a name follow it.
  if ([own, ...opening, ...firstLines].some((part) => part.length < MAX_ALONE && ALONE.test(part.trim())))
    return 'consists of an unsubscribe request';
  if (REMOVAL_SENTENCES.matches(own) && REMOVAL_SENTENCES.matches(own.replaceAll(INSTRUCTION, '')))
    return 'asks to unsubscribe in a sentence';
  return !hasMoreWords(text, 3) && ALONE.test(subject) ? 'subject asks to unsubscribe' : null;
}
