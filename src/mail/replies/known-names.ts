import { domainOf, isSameAddress } from '../../core/email-address.ts';
import type { Reply } from './reply.ts';

/** Tokens for our address and domain, and for any other address and the recipient's domain. They contain no word that a rule matches. */
const OURS = { address: 'us@own.z', domain: 'own.z' };
const OTHERS = { address: 'x@y.z', domain: 'y.z' };

const ADDRESS = /[^\s<>"'()[\],;:@]{1,64}@[^\s<>"'()[\],;:@]{1,253}/g;
/** The beginning of a multiline reply: its code, and often a status. */
const FIRST_OF_SEVERAL = /(?:^|[\s;:])([245]\d\d)-(?:([245]\.\d{1,3}\.\d{1,3}) ?)?/;

/**
 * Returns the words of a reply, without the code that the server repeats on each line (RFC 5321 §4.2.1). Replaces known addresses and
 * domains with tokens, because the words in them say nothing about the reason.
 */
export function wordsOf({ text, recipient, sender }: Pick<Reply, 'text' | 'recipient' | 'sender'>): string {
  const joined = withoutRepeatedCodes(text.replaceAll(/\s+/g, ' '));
  const named = joined.replaceAll(ADDRESS, (address) =>
    sender !== undefined && isSameAddress(address, sender) ? OURS.address : OTHERS.address,
  );
  return withDomain(withDomain(named, sender, OURS.domain), recipient, OTHERS.domain);
}

/** True for a reply that names our own address or domain, but not the recipient's. */
export const isAboutUs = (words: string): boolean => words.includes(OURS.domain) && !words.includes(OTHERS.domain);

function withoutRepeatedCodes(text: string): string {
  const [, code, status] = FIRST_OF_SEVERAL.exec(text) ?? [];
  if (code === undefined) return text;
  const end = text.indexOf(code) + code.length;
  const again = new RegExp(`\\s+${code}[ -](?:${(status ?? '').replaceAll('.', '\\.')}(?![\\d.]) ?)?`, 'g');
  return text.slice(0, end) + text.slice(end).replaceAll(again, ' ');
}

function withDomain(text: string, address: string | undefined, token: string): string {
  const domain = address === undefined ? '' : domainOf(address);
  if (domain === '') return text;
  return text.replaceAll(
    new RegExp(`(?<![\\w.-])(?:[\\w-]{1,63}\\.){0,5}${domain.replaceAll(/[.\\+*?^$()[\]{}|-]/g, '\\$&')}(?![\\w-])`, 'gi'),
    token,
  );
}
