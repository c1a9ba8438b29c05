import { domainToASCII, domainToUnicode } from 'node:url';
import { invalid } from './errors.ts';

const LOCAL_PART = /^[^\s"(),:;<>@[\\\]\p{Cc}]+$/u;
/**
 * Matches most addresses: ASCII, with a domain that has no A-labels and does not end in a number (it could be an IP address). A match of at
 * most 64 characters is within every limit.
 */
const PLAIN_ADDRESS = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*@(?:[a-z\d]+(?:-[a-z\d]+)*\.)*[a-z][a-z\d]*(?:-[a-z\d]+)*$/i;
const MAX_PLAIN = 64;
/**
 * Matches domains that need no conversion, which are most. Those with A-labels don't match: they are checked. Tested first, since it runs
 * for every email.
 */
const IS_ASCII_DOMAIN = /@(?![^@]*xn--)(?:[a-z\d-]+\.)+[a-z]+$/;
/**
 * Letters, digits and hyphens, and the five punctuation marks that IDNA allows within a label, as in `l·l` and `カ・ラ` (RFC 5892 A.3 to A.7).
 */
const DOMAIN_LABEL = /^(?!-)[\p{L}\p{M}\p{N}\u00b7\u0375\u05f3\u05f4\u30fb-]{1,63}(?<!-)$/u;

/** Invisible characters: soft hyphens, joiners, direction marks, variation selectors (Unicode 16, DerivedCoreProperties). */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;
const IS_ASCII = /^[ -~]*$/;
const isDomain = (domain: string): boolean => domain.split('.').every((label) => DOMAIN_LABEL.test(label));

/** Returns the address with its domain in A-labels, as DNS and SMTP use it (RFC 5890 §2.3.2.1). The local part is unchanged. */
export function withAsciiDomain(address: string): string {
  if (IS_ASCII_DOMAIN.test(address)) return address;
  const at = address.lastIndexOf('@');
  return `${address.slice(0, at)}@${domainToASCII(address.slice(at + 1)) || address.slice(at + 1)}`;
}

/**
 * Returns an address or a domain as it is stored and shown: as it was typed, but trimmed, without invisible characters and in NFC. Letters
 * of a domain outside ASCII become those that DNS looks up: `BÜCHER.example` and full-width letters become lower case. A domain that would
 * then contain symbols, as a full-width `xn--` may, is kept in A-labels.
 */
export function cleanAddress(text: string): string {
  if (IS_ASCII.test(text)) return text.trim();
  const cleaned = text.replaceAll(INVISIBLE, '').trim().normalize('NFC');
  const start = cleaned.lastIndexOf('@') + 1;
  const domain = cleaned.slice(start);
  if (IS_ASCII.test(domain) || !isDomain(domain)) return cleaned;
  const ascii = domainToASCII(domain);
  const decoded = domainToUnicode(ascii);
  return cleaned.slice(0, start) + (isDomain(decoded) ? decoded : ascii || domain);
}

/**
 * Returns the key by which addresses are compared: all spellings of one address have the same key. The local part is in lower case, the
 * domain in A-labels and lower case. The function `address_key` of the database is the same. Accepts any text, even if it is not an
 * address.
 */
export const addressKey = (text: string): string => withAsciiDomain(cleanAddress(text)).toLowerCase();

/** True for two spellings of one address. */
export const isSameAddress = (one: string, other: string): boolean => addressKey(one) === addressKey(other);

/**
 * Returns the key of an address's mailbox: `ann+news@` is `ann@` (subaddressing, RFC 5233), and Gmail reads `a.nn@` as `ann@`, and
 * googlemail.com as gmail.com. People are recognised by this key, and opt-outs apply to it. The function `mailbox_key` of the database is
 * the same.
 */
export function mailboxKey(text: string): string {
  const key = addressKey(text).replace(/^([^@+]+)\+[^@]*@/, '$1@');
  return key.replace(/^([^@]+)@(?:gmail|googlemail)\.com$/, (_, local: string) => `${local.replaceAll('.', '')}@gmail.com`);
}

/** True for two addresses of one mailbox. */
export const isOneMailbox = (one: string, other: string): boolean => mailboxKey(one) === mailboxKey(other);

/** Returns the domain of an address, in A-labels and lower case. */
export function domainOf(address: string): string {
  const key = addressKey(address);
  return key.slice(key.lastIndexOf('@') + 1);
}

/**
 * Checks and cleans a bare address `local@domain`: no display name, comments, quotes, groups or control characters
 * (RFC 5321 §4.1.2 without quoted strings; non-ASCII as RFC 6532 permits). Keeps the case. Throws `invalid_request`
 * naming `field`.
 */
export function emailAddress(text: string, field = 'email'): string {
  const address = cleanAddress(text);
  if (address.length <= MAX_PLAIN && PLAIN_ADDRESS.test(address)) return address;
  const at = address.lastIndexOf('@');
  const local = address.slice(0, at);
  const domain = address.slice(at + 1);
  const isWellFormed =
    at > 0 &&
    LOCAL_PART.test(local) &&
    !local.startsWith('.') &&
    !local.endsWith('.') &&
    !local.includes('..') &&
    isDomain(domain) &&
    domainToASCII(domain) !== '';
  if (!isWellFormed) throw invalid(`${field}: must be one email address, for example name@example.com`);
  if ([...address].length > 254 || [...local].length > 64) throw invalid(`${field}: at most 254 characters, and at most 64 before the @`);
  return address;
}

/** True for an address that `emailAddress` accepts unchanged. */
export function isEmailAddress(text: string): boolean {
  try {
    return emailAddress(text) === text;
  } catch {
    return false;
  }
}

/** Suffixes under which a country registers domains, such as co.uk and com.br: many organisations share them. */
const REGISTRY = /^(?:ac|co|com|edu|gob|gouv|gov|govt|ltd|mil|ne|net|nom|or|org|plc|sch)\.[a-z]{2}$/;

/** An address, or a domain as `@example.com` in A-labels and lower case. */
export interface AddressOrDomain {
  email: string;
  /** In A-labels; null for an address. */
  domain: string | null;
}

/** Checks and cleans an address, or a domain with `@` or `*@` before it. Throws `invalid_request` naming `field`. */
export function addressOrDomain(text: string, field = 'email'): AddressOrDomain {
  const cleaned = cleanAddress(text).replace(/^\*@/, '@');
  if (cleaned.indexOf('@') > 0) return { email: emailAddress(cleaned, field), domain: null };
  const ascii = domainToASCII(cleaned.slice(1));
  if (!cleaned.startsWith('@') || !cleaned.includes('.') || !isDomain(cleaned.slice(1)) || ascii === '' || ascii.length > 253)
    throw invalid(`${field}: must be one email address such as name@example.com, or a domain such as @example.com`);
  if (REGISTRY.test(ascii)) throw invalid(`${field}: many organisations have their domains under @${ascii}; name the domain of one`);
  return { email: `@${ascii}`, domain: ascii };
}
