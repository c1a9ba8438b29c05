import { field, type InboundMessage, type NamedAddress } from './message.ts';

/** Sender and subject of the message that Exchange could not convert, as its notice names them. */
export interface Unconverted {
  from: NamedAddress | null;
  subject: string;
}

/**
 * Reads the notice that Exchange returns over IMAP in place of a message that it can't convert ("Retrieval using the IMAP4 protocol failed
 * for the following message"). It has no sender address, and in every language it quotes the sender and the subject. Null for any other
 * message.
 */
export function unconvertedMessage(message: InboundMessage): Unconverted | null {
  if (!/^"?Microsoft Exchange/i.test(field(message, 'from')) || message.from?.address.includes('@')) return null;
  if (!/\bIMAP4?\b/i.test(message.subject)) return null;
  const [, name = '', address] = /"([^"\n]*)"\s*\(\s*"?([^\s"()<>]+@[^\s"()<>]+)"?\s*\)/.exec(message.text) ?? [];
  const [, subject = ''] = /^[^\n":]{1,40}:\s*"([^"\n]*)"[ \t]*$/m.exec(message.text) ?? [];
  return { from: address === undefined ? null : { name, address }, subject };
}
