import { createHash } from 'node:crypto';
import { addressKey } from '../../core/email-address.ts';
import { messageOf } from '../../core/errors.ts';
import { type DomainReport, looksLikeReport, readDomainReport } from '../domain-reports/index.ts';
import { type Classification, classifyMessage, classifyRaw } from './classify.ts';
import { type AttachedFile, field, type InboundMessage, messageIdOf } from './message.ts';
import { returnDate } from './return-date.ts';
import type { SentEmail } from './sent-email.ts';
import { unconvertedMessage } from './unconverted.ts';

/** The parts of an inbound message that are needed after its classification. */
export type InboundHead = Pick<InboundMessage, 'from' | 'subject'>;

/** A classified message as a reader process returns it: small, and plain data. */
export interface ReadMessage {
  mail: InboundHead;
  result: Classification;
  /** The Message-ID with angle brackets; of a message without one, `sha256:` and the hash of its bytes. */
  messageId: string;
  /** Equal for copies of one message in several mailboxes, and different for messages to which a program gives one Message-ID. */
  identity: string;
  content: MessageContent;
  /** The report about a domain that it brings, or why that can't be read; null where it does not say that it brings one. */
  report: DomainReport | { refused: string } | null;
}

/** The part of a message that is shown to people who read the replies. */
export interface MessageContent {
  /** The whole text, quotations included, cut to MAX_TEXT characters. */
  text: string;
  files: readonly AttachedFile[];
  /** The day of return, `YYYY-MM-DD`, that it would name as an absence notice, whatever its verdict. */
  returnsOn: string | null;
}

const MAX_TEXT = 50_000;

/** Reads a raw message (RFC 5322). `reason` says why it is not the whole message. @param sent the email that it answers, where that is known */
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
    // Who wrote it counts, though nobody knows what.
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

/** A hash of who says what, when, about which email; servers wrap lines and add fields on the way. */
function identityOf(message: InboundMessage, { recipient, originalMessageIds }: Classification): string {
  const said = message.text.replaceAll(/\s+/g, ' ').trim();
  const parts = [message.from && addressKey(message.from.address), field(message, 'date'), recipient, originalMessageIds, said];
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}

const fingerprint = (raw: Uint8Array) => `sha256:${createHash('sha256').update(raw).digest('hex')}`;
