import { domainToASCII, domainToUnicode } from 'node:url';
import { invalid } from './errors.ts';

const LOCAL_PART = /^[^\s"(),:;<>@[\\\]\p{Cc}]+$/u;
/**
 * Most addresses: ASCII, with a domain that is not in A-labels and does not end in a number, which could be an IP address. One of at
 * most 64 characters keeps every limit.
 */
const PLAIN_ADDRESS = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*@(?:[a-z\d]+(?:-[a-z\d]+)*\.)*[a-z][a-z\d]*(?:-[a-z\d]+)*$/i;
const MAX_PLAIN = 64;
/** Domains that have nothing to convert, as most; those in A-labels are checked. Looked for first, since every email asks. */
const IS_ASCII_DOMAIN = /@(?!.*xn--)(?:[a-z\d-]+\.)+[a-z]+$/;
const DOMAIN_LABEL = /^(?!-)[\p{L}\p{N}-]{1,63}(?<!-)$/u;

/** The address with its domain in A-labels, as DNS and SMTP use it (RFC 5890 §2.3.2.1). The local part is unchanged. */
export function withAsciiDomain(address: string): string {
  if (IS_ASCII_DOMAIN.test(address)) return address;
  const at = address.lastIndexOf('@');
  return `${address.slice(0, at)}@${domainToASCII(address.slice(at + 1)) || address.slice(at + 1)}`;
}

/** The domain of an address, in lower case. */
export const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1).toLowerCase();

/**
 * Checks and trims a bare address `local@domain`: no display name, comments, quotes, groups or control characters
 * (RFC 5321 §4.1.2 without quoted strings; non-ASCII as RFC 6532 permits). Keeps the case. Throws `invalid_request`
 * naming `field`.
 */
export function emailAddress(text: string, field = 'email'): string {
  const address = text.trim();
  if (address.length <= MAX_PLAIN && PLAIN_ADDRESS.test(address)) return address;
  const at = address.lastIndexOf('@');
  const local = address.slice(0, at);
  const domain = address.slice(at + 1);
  const labels = domain.split('.');
  const isWellFormed =
    at > 0 &&
    LOCAL_PART.test(local) &&
    !local.startsWith('.') &&
    !local.endsWith('.') &&
    !local.includes('..') &&
    labels.every((label) => DOMAIN_LABEL.test(label)) &&
    domainToASCII(domain) !== '';
  if (!isWellFormed) throw invalid(`${field}: must be one email address, for example name@example.com`);
  if ([...address].length > 254 || [...local].length > 64) throw invalid(`${field}: at most 254 characters, and at most 64 before the @`);
  return address;
}

/** An address, or a domain as `@example.com` in A-labels and lower case, with the ways in which addresses may spell the domain. */
export interface AddressOrDomain {
  email: string;
  /** Empty for an address. */
  domains: string[];
}

/** Checks and trims an address, or a domain with `@` or `*@` before it. Throws `invalid_request` naming `field`. */
export function addressOrDomain(text: string, field = 'email'): AddressOrDomain {
  const trimmed = text.trim().replace(/^\*@/, '@');
  if (trimmed.indexOf('@') > 0) return { email: emailAddress(trimmed, field), domains: [] };
  const labels = trimmed.slice(1).split('.');
  const ascii = domainToASCII(trimmed.slice(1));
  if (
    !trimmed.startsWith('@') ||
    labels.length < 2 ||
    !labels.every((label) => DOMAIN_LABEL.test(label)) ||
    ascii === '' ||
    ascii.length > 253
  )
    throw invalid(`${field}: must be one email address such as name@example.com, or a domain such as @example.com`);
  return { email: `@${ascii}`, domains: [...new Set([ascii, domainToUnicode(ascii)])] };
}
