import { isPublicDomain } from '../../contacts/index.ts';
import { domainOf } from '../../core/email-address.ts';

/** The domain of an address, which stands for a company; null for that of a mailbox provider. */
export function companyOf(address: string): string | null {
  const domain = domainOf(address);
  return isPublicDomain(domain) ? null : domain;
}
