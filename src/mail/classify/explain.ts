import { type Classification, verdictsOn } from './classify.ts';
import { type InboundMessage, namedAddresses } from './message.ts';
import { parseMessage } from './parse-message.ts';
import { type Cut, splitQuote } from './quote.ts';
import { returnedEmail } from './returned-email.ts';
import type { SentEmail } from './sent-email.ts';

/** How a message was understood. */
export interface Explanation {
  result: Classification;
  /** The parts of the text that are not the author's own words, and why. */
  cuts: Cut[];
  /** Every verdict for which something speaks, with what it is, the decisive one first. */
  signs: Pick<Classification, 'verdict' | 'reasons'>[];
}

/**
 * Classifies a raw message (RFC 5322) and says why. Never throws.
 * @param sentRaw the email of ours that it answers, as it was sent; null if it is not known
 */
export async function explainRaw(raw: Uint8Array, sentRaw: Uint8Array | null): Promise<Explanation> {
  const message = await parseMessage(raw);
  const sent = sentRaw === null ? null : await answeredBy(message, sentRaw);
  const verdicts = [...verdictsOn(message, sent)];
  // A message without any other sign is taken for a person's: that verdict counts only when it is the only one.
  const signs = verdicts.length > 1 ? verdicts.slice(0, -1) : verdicts;
  return {
    result: verdicts[0] as Classification,
    cuts: splitQuote(message, sent).cuts,
    signs: signs.map(({ verdict, reasons }) => ({ verdict, reasons })),
  };
}

/** An email of ours as classification needs it, from its source. */
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
