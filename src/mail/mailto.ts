import { withAsciiDomain } from '../core/email-address.ts';

/** The address and a subject as a URL, in the ASCII that a header field holds (RFC 6068 §2). */
export function mailtoUrl(address: string, subject: string): string {
  const ascii = withAsciiDomain(address);
  const at = ascii.lastIndexOf('@');
  return `mailto:${encodeURIComponent(ascii.slice(0, at))}${ascii.slice(at)}?subject=${encodeURIComponent(subject)}`;
}
