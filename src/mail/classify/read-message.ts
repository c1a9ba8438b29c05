import { createHash } from 'node:crypto';
import { type Classification, classifyRaw } from './classify.ts';
import { type InboundMessage, messageIdOf } from './message.ts';

/** The parts of an inbound message that are needed after its classification. */
export type InboundHead = Pick<InboundMessage, 'from' | 'subject'>;

/** A classified message as a reader returns it: small, and plain enough to travel between processes. */
export interface ReadMessage {
  mail: InboundHead;
  result: Classification;
  /** The Message-ID with angle brackets; of a message without one, `sha256:` and the hash of its bytes. */
  messageId: string;
}

/** Reads a raw message (RFC 5322). */
export async function readMessage(raw: Uint8Array): Promise<ReadMessage> {
  const { message, result } = await classifyRaw(raw);
  const { from, subject } = message;
  return { mail: { from, subject }, result, messageId: messageIdOf(message) ?? fingerprint(raw) };
}

const fingerprint = (raw: Uint8Array) => `sha256:${createHash('sha256').update(raw).digest('hex')}`;
