import { createHash } from 'node:crypto';
import { addressKey } from '../../core/email-address.ts';
import { messageOf } from '../../core/errors.ts';
import { type DomainReport, looksLikeReport, readDomainReport } from '../domain-reports/index.ts';
import { type Classification, classifyMessage, classifyRaw } from './classify.ts';
import { type AttachedFile, field, type InboundMessage, messageIdOf } from './message.ts';
import { returnDate } from './return-date.ts';
import type { SentEmail } from './sent-email.ts';
import { unconvertedMessage } from './unconverted.ts';

/** The fields of an inbound message that are needed after its classification. */
export type InboundHead = Pick<InboundMessage, 'from' | 'subject'>;

/** A classified message as a reader process returns it: small, and plain data. */
export interface ReadMessage {
  mail: InboundHead;
  result: Classification;
  /** The Message-ID with angle brackets; if the message has none, `sha256:` and the hash of its bytes. */
  messageId: string;
  /** Equal for copies of one message in several mailboxes. Different for messages to which a program gives the same Message-ID. */
  identity: string;
  content: MessageContent;
  /** The domain report in the message, or why it can't be read; null if the message does not claim to have one. */
  report: DomainReport | { refused: string } | null;
}

/** The content of a message as shown to people who read the replies. */
export interface MessageContent {
  /** The whole text with quotations, truncated to MAX_TEXT characters. */
  text: string;
  files: readonly AttachedFile[];
  /** The day of return, `YYYY-MM-DD`, in the text if it is read as an absence notice, whatever the verdict. */
  returnsOn: string | null;
}

const MAX_TEXT = 50_000;

/**
 * Reads a raw message (RFC 5322). `reason` is set if the message could not be read completely.
 * @param sent the email that it answers, if known
 */
export async function readMessage(
  raw: Uint8Array,
  sent: SentEmail | null = null,
): Promise<ReadMessage | (ReadMessage & { reason: string })> {
  const { message, result } = await classifyRaw(raw, sent);
  const { from, subject, text, files } = message;
  const returnsOn = result.until ?? returnDate(`${subject}\n${result.ownText}`, message.date);
  const content = { text: text.slice(0, MAX_TEXT), files, returnsOn };
  const lost = unconvertedMessage(message);
  if (lost !== null) {
    // The sender still counts, although the text is unknown.
    const standIn = { ...message, ...lost, text: '', fields: new Map(), isBroken: true };
    const reason = `Exchange could not convert it for IMAP; open it in Outlook (${lost.from?.address ?? 'sender unknown'}: ${lost.subject})`;
    const standInResult = classifyMessage(standIn);
    return {
      mail: lost,
      result: standInResult,
      messageId: fingerprint(raw),
      identity: identityOf(standIn, standInResult),
      content,
      report: null,
      reason,
    };
  }
  return {
    mail: { from, subject },
    result,
    messageId: messageIdOf(message) ?? fingerprint(raw),
    identity: identityOf(message, result),
    content,
    report: looksLikeReport(subject, files) ? await readDomainReport(raw).catch((error) => ({ refused: messageOf(error) })) : null,
  };
}

/**
 * Returns a hash of the sender, the date, the text and the emails it is about. Ignores line breaks and other fields, because servers change
 * them.
 */
function identityOf(message: InboundMessage, { recipient, originalMessageIds }: Classification): string {
  const said = message.text.replaceAll(/\s+/g, ' ').trim();
  const parts = [message.from && addressKey(message.from.address), field(message, 'date'), recipient, originalMessageIds, said];
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}

const fingerprint = (raw: Uint8Array) => `sha256:${createHash('sha256').update(raw).digest('hex')}`;
