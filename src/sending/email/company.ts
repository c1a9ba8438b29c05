import { isPublicDomain } from '../../contacts/index.ts';
import { domainOf } from '../../core/email-address.ts';

/** Returns the domain of an address as the key of its company; null for the domain of a public mailbox provider. */
export function companyOf(address: string): string | null {
  const domain = domainOf(address);
  return isPublicDomain(domain) ? null : domain;
}
