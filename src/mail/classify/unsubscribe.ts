import type { InboundMessage } from './message.ts';
import { REMOVAL_ALONE } from './phrases/removal-requests.ts';
import { REMOVAL_SENTENCES } from './phrases/removal-sentences.ts';
import { INSTRUCTION_OPENINGS, INSTRUCTIONS, PLEASE, THANKS } from './phrases/removal-words.ts';
import { threadSubject } from './subject.ts';

/** A text that consists of the request alone, with "please" and "thank you" around it. */
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

const MAX_WORDS = 70;
const MAX_ALONE = 120;

/**
 * The reason, in words for a person, why a message is a request for no more email; null where it is none.
 * @param own the author's own words: quotations, signatures and footers speak of unsubscribing too
 */
export function unsubscribeReason(message: InboundMessage, own: string): string | null {
  const subject = threadSubject(message.subject);
  const text = own.trim();
  const words = text === '' ? 0 : text.split(/\s+/).length;
  if (words > MAX_WORDS) return null;
  if (BY_ADDRESS.test(subject)) return 'subject asks to unsubscribe';
  const opening = text.split(/\n\s*\n/).slice(0, 3);
  const firstLines = text.split('\n').slice(0, 3);
  // A greeting comes before, a name after: one line or paragraph that is the request is enough.
  if ([own, ...opening, ...firstLines].some((part) => part.length < MAX_ALONE && ALONE.test(part.trim())))
    return 'consists of an unsubscribe request';
  if (REMOVAL_SENTENCES.matches(own.replaceAll(INSTRUCTION, ''))) return 'asks to unsubscribe in a sentence';
  return words <= 3 && ALONE.test(subject) ? 'subject asks to unsubscribe' : null;
}
