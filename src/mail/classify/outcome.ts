import type { InboundMessage } from './message.ts';
import { DELAY_SENTENCES, KEEPS_TRYING } from './phrases/delayed-delivery.ts';
import { DELIVERED_SENTENCES } from './phrases/delivered.ts';
import { CONDITIONS, FINAL_SENTENCES } from './phrases/given-up.ts';
import { quotesServerReply } from './quoted-reply.ts';

const CONDITION = new RegExp(`(?<!\\p{L})${CONDITIONS.pattern}(?!\\p{L})`, 'iu');

/** True where a notice says that the server has given up, and not only when it would. */
function hasGivenUp(notice: string): boolean {
  if (!FINAL_SENTENCES.matches(notice)) return false;
  const stated = notice.split(/[.!?](?=\s)|\n[ \t]*\n/).filter((sentence) => !CONDITION.test(sentence));
  return FINAL_SENTENCES.matches(stated.join('\n\n'));
}

/** The outcome that the words of a notice name. */
export function outcomeInWords(message: InboundMessage, notice: string): 'failed' | 'delayed' | 'delivered' {
  const text = `${message.subject}\n${notice}`;
  if (DELIVERED_SENTENCES.matches(text) && !quotesServerReply(notice)) return 'delivered';
  const isDelayed = KEEPS_TRYING.matches(text) || DELAY_SENTENCES.matches(text);
  return isDelayed && !hasGivenUp(notice) ? 'delayed' : 'failed';
}

/** True where a report of a delay (RFC 3464: `Action: delayed`) is the last one: its text says that the server has given up. */
export const isLastDelay = (text: string): boolean => !KEEPS_TRYING.matches(text) && hasGivenUp(text);
