import type { MxRecord } from 'node:dns';
import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';

/** The provider that receives the email of a domain. `other` is any other provider, or an unknown one. */
export type MailProvider = 'google' | 'microsoft' | 'other';

/** The names of the providers that accounts and contacts can be matched by. */
export const PROVIDER_NAMES = { google: 'Google', microsoft: 'Microsoft' } as const;

/**
 * Hosts that receive for the providers: support.google.com/a/answer/174125 (MX of Google Workspace; Gmail's are in the same domain),
 * learn.microsoft.com "External Domain Name System records for Microsoft 365" and, with DNSSEC, `mx.microsoft`.
 */
const HOSTS: readonly (readonly [MailProvider, RegExp])[] = [
  ['google', /(?:^|\.)(?:google|googlemail)\.com$/],
  ['microsoft', /(?:^|\.)(?:protection\.outlook\.com|mx\.microsoft)$/],
];

/** Returns the provider of the server that a domain prefers. A filtering service in front of a provider counts as `other`. */
export function providerOfMx(records: readonly MxRecord[]): MailProvider {
  const [preferred] = records.toSorted((one, two) => one.priority - two.priority);
  const host = preferred?.exchange.toLowerCase().replace(/\.$/, '') ?? '';
  return HOSTS.find(([, pattern]) => pattern.test(host))?.[0] ?? 'other';
}

/** Names that public DNS does not have (RFC 6761, RFC 6762, RFC 7686, RFC 8375, and `internal`, which ICANN reserved). */
const RESERVED = /(?:^|\.)(?:localhost|local|invalid|test|example|onion|internal|home\.arpa)$/;

/** Returns the domain as it would be in public DNS, in A-labels; null for an address literal, a name with one label and a reserved name. */
export function publicName(domain: string): string | null {
  const name = domainToASCII(domain);
  const isName = name.length <= 253 && /^[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})+$/.test(name);
  return isName && isIP(name) === 0 && !RESERVED.test(name) ? name : null;
}
