import { isSameAddress } from '../../core/email-address.ts';
import { allMatches } from './all-matches.ts';

/** An address in running text. More liberal than RFC 5322, because servers repeat addresses as they were given. */
const ADDRESS = /[\p{L}\p{N}!#$%&*+/=?^_`{|}~.-]{1,64}@[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}\.?){1,10}/gu;
const MAX_SCANNED = 30_000;

/** An address and its index in the text. */
export interface FoundAddress {
  address: string;
  index: number;
}

/** Returns every address in the first MAX_SCANNED characters of a text, in order of appearance. */
export function addressesIn(text: string): FoundAddress[] {
  const found: FoundAddress[] = [];
  for (const match of allMatches(ADDRESS, text.slice(0, MAX_SCANNED))) {
    const address = cleanAddress(match[0]);
    if (address !== null) found.push({ address, index: match.index });
  }
  return found;
}

/** Returns the first address in the first 1,000 characters of a text, or null. */
export const firstAddress = (text: string): string | null => addressesIn(text.slice(0, 1_000))[0]?.address ?? null;

/** Removes prefixes and the punctuation of a sentence from an address. Null if no address is left. */
export function cleanAddress(text: string): string | null {
  const address = text
    .replace(/^(SMTP|mailto|rfc822|=3D|IMCEASMTP-)[:=;]?/i, '')
    // Text in scripts without spaces runs into the address.
    .replace(/^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]+(?=[\w.+-]+@)/u, '')
    .replace(/^['"`{|=/*.-]+/, '')
    .replace(/[^\p{L}\p{N}]+$/u, '');
  const at = address.lastIndexOf('@');
  return at > 0 && at < address.length - 1 ? address : null;
}

export const sameAddress = (a: string | null, b: string | null) => a !== null && b !== null && isSameAddress(a, b);

export const localPartOf = (address: string) => address.slice(0, Math.max(0, address.lastIndexOf('@'))).toLowerCase();
