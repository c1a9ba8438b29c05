import type { App } from '../app.ts';
import type { Tx } from '../db/transaction.ts';
import { type NewReply, type ReplyKind, storeReply } from '../replies/index.ts';
import type { Match, Reading } from './match.ts';
import { storable } from './storable.ts';

const MAX_LINE = 500;
const MAX_OWN_TEXT = 20_000;
const MAX_TEXT = 50_000;

/**
 * Stores a message from a person or an autoresponder as a reply. Returns the id of the reply; null for any other message.
 * @param arrival the inbound message, the account whose mailbox received it, and the time of arrival by the server's clock
 */
export async function keepReply(
  tx: Tx,
  app: App,
  { receivedAt, ...arrival }: { inboundId: number; mailboxId: number; receivedAt: Date | null },
  reading: Reading,
  match: Match,
): Promise<number | null> {
  const kind = kindOf(reading, match);
  if (kind === null) return null;
  const { email } = match;
  const { mail, result, content } = reading;
  return storeReply(tx, app, {
    ...arrival,
    email,
    kind,
    sender: storable(mail.from?.address ?? '', MAX_LINE),
    senderName: storable(mail.from?.name ?? '', MAX_LINE),
    messageId: reading.messageId.startsWith('<') ? storable(reading.messageId, MAX_LINE) : null,
    hasLeft: result.hasLeft,
    mayAskToBeRemoved: result.mayAskToBeRemoved,
    returnsOn: content.returnsOn,
    receivedAt: receivedAt ?? app.clock.now(),
    // The text of a private mailbox must not be visible to everybody who sees the campaign.
    ...(email.isQuotable ? wordsOf(reading) : { subject: '', ownText: '', fullText: '', files: [] }),
  });
}

function kindOf({ result: { verdict } }: Reading, { writer }: Match): ReplyKind | null {
  if (verdict === 'reply') return writer === 'colleague' || writer === 'copied' ? 'colleague' : 'reply';
  return verdict === 'unsubscribe_request' || verdict === 'auto_reply' ? verdict : null;
}

const wordsOf = ({ mail, result, content }: Reading): Pick<NewReply, 'subject' | 'ownText' | 'fullText' | 'files'> => ({
  subject: storable(mail.subject, MAX_LINE),
  ownText: storable(result.ownText, MAX_OWN_TEXT),
  fullText: storable(content.text, MAX_TEXT),
  files: content.files.map(({ name, size }) => ({ name: storable(name, MAX_LINE), size })),
});
