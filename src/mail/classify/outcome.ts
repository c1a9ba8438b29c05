import type { InboundMessage } from './message.ts';
import { DELAY_SENTENCES, KEEPS_TRYING } from './phrases/delayed-delivery.ts';
import { DELIVERED_SENTENCES } from './phrases/delivered.ts';
import { CONDITIONS, FINAL_SENTENCES } from './phrases/given-up.ts';
import { quotesServerReply } from './quoted-reply.ts';

const CONDITION = new RegExp(`(?<!\\p{L})${CONDITIONS.pattern}(?!\\p{L})`, 'iu');

/** True if the server has given up, and does not merely say when it will. */
function hasGivenUp(notice: string): boolean {
  if (!FINAL_SENTENCES.matches(notice)) return false;
  const stated = notice.split(/[.!?](?=\s)|\n[ \t]*\n/).filter((sentence) => !CONDITION.test(sentence));
  return FINAL_SENTENCES.matches(stated.join('\n\n'));
}

/** Returns the outcome according to the words of a notice. */
export function outcomeInWords(message: InboundMessage, notice: string): 'failed' | 'delayed' | 'delivered' {
  const text = `${message.subject}\n${notice}`;
  if (DELIVERED_SENTENCES.matches(text) && !quotesServerReply(notice)) return 'delivered';
  const isDelayed = KEEPS_TRYING.matches(text) || DELAY_SENTENCES.matches(text);
  return isDelayed && !hasGivenUp(notice) ? 'delayed' : 'failed';
}

/** True if a report of a delay (RFC 3464: `Action: delayed`) is the last one, because the server has given up. */
export const isLastDelay = (text: string): boolean => !KEEPS_TRYING.matches(text) && hasGivenUp(text);
