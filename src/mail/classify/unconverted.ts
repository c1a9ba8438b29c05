import { field, type InboundMessage, type NamedAddress } from './message.ts';

/** The message that Exchange could not convert, as far as its notice names it. */
export interface Unconverted {
  from: NamedAddress | null;
  subject: string;
}

/**
 * Reads the notice that Exchange gives over IMAP in the place of a message that it can't convert ("Retrieval using the IMAP4 protocol failed
 * for the following message"): it comes from no address, and quotes the sender and the subject in every language. Null for any other message.
 */
export function unconvertedMessage(message: InboundMessage): Unconverted | null {
  if (!/^"?Microsoft Exchange/i.test(field(message, 'from')) || message.from?.address.includes('@')) return null;
  if (!/\bIMAP4?\b/i.test(message.subject)) return null;
  const [, name = '', address] = /"([^"\n]*)"\s*\(\s*"?([^\s"()<>]+@[^\s"()<>]+)"?\s*\)/.exec(message.text) ?? [];
  const [, subject = ''] = /^[^\n":]{1,40}:\s*"([^"\n]*)"[ \t]*$/m.exec(message.text) ?? [];
  return { from: address === undefined ? null : { name, address }, subject };
}
