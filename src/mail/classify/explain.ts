import { type Classification, verdictsOn } from './classify.ts';
import { type InboundMessage, namedAddresses } from './message.ts';
import { parseMessage } from './parse-message.ts';
import { type Cut, splitQuote } from './quote.ts';
import { returnedEmail } from './returned-email.ts';
import type { SentEmail } from './sent-email.ts';

/** The explanation of a classification. */
export interface Explanation {
  result: Classification;
  /** The parts of the text that are not the author's own words, with the reasons. */
  cuts: Cut[];
  /** Every verdict with signs of it and the reasons, the decisive one first. */
  signs: Pick<Classification, 'verdict' | 'reasons'>[];
}

/**
 * Classifies a raw message (RFC 5322) and explains why. Never throws.
 * @param sentRaw the source of our email that it answers; null if unknown
 */
export async function explainRaw(raw: Uint8Array, sentRaw: Uint8Array | null): Promise<Explanation> {
  const message = await parseMessage(raw);
  const sent = sentRaw === null ? null : await answeredBy(message, sentRaw);
  const verdicts = [...verdictsOn(message, sent)];
  // The last verdict is the default, a person's reply. It counts only if there is no other.
  const signs = verdicts.length > 1 ? verdicts.slice(0, -1) : verdicts;
  return {
    result: verdicts[0] as Classification,
    cuts: splitQuote(message, sent).cuts,
    signs: signs.map(({ verdict, reasons }) => ({ verdict, reasons })),
  };
}

/** Reads what the classification needs from the source of our email. */
async function answeredBy(answer: InboundMessage, raw: Uint8Array): Promise<SentEmail> {
  const { subject, text, to, from, fields } = await parseMessage(raw);
  const replyTo = (fields.get('reply-to') ?? []).flatMap(namedAddresses);
  const id = /<[^<>\s]+>/.exec(fields.get('message-id')?.[0] ?? '')?.[0];
  return {
    ...{ subject, text, recipient: to[0]?.address ?? '' },
    ours: [...(from === null ? [] : [from]), ...replyTo].map(({ address }) => address),
    isProved: id !== undefined && returnedEmail(answer).messageIds.includes(id),
  };
}
