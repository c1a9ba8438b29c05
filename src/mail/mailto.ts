import { withAsciiDomain } from '../core/email-address.ts';

/** Returns a mailto URL with the address and a subject, in ASCII, so that it fits a header field (RFC 6068 §2). */
export function mailtoUrl(address: string, subject: string): string {
  const ascii = withAsciiDomain(address);
  const at = ascii.lastIndexOf('@');
  return `mailto:${encodeURIComponent(ascii.slice(0, at))}${ascii.slice(at)}?subject=${encodeURIComponent(subject)}`;
}
