import { domainToASCII } from 'node:url';
import { invalid } from './errors.ts';

const LOCAL_PART = /^[^\s"(),:;<>@[\\\]\p{Cc}]+$/u;
const DOMAIN_LABEL = /^(?!-)[\p{L}\p{N}-]{1,63}(?<!-)$/u;

/** The address with its domain in A-labels, as DNS and SMTP use it (RFC 5890 §2.3.2.1). The local part is unchanged. */
export function withAsciiDomain(address: string): string {
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
  if (address.length > 254 || Buffer.byteLength(local) > 64) throw invalid(`${field}: at most 254 characters, and at most 64 before the @`);
  return address;
}
