import { emailAddress, mailboxKey } from '../../core/email-address.ts';
import { invalid } from '../../core/errors.ts';
import { CAMPAIGN_OPTIONS, type CopyAddresses } from '../options/campaign-options.ts';

/**
 * Checks and trims addresses for copies. Throws `invalid_request`, naming `field`, for a malformed address, a duplicate, or too many
 * addresses.
 */
export function copyAddresses(addresses: readonly string[], field: 'cc' | 'bcc'): string[] {
  const { most } = CAMPAIGN_OPTIONS[field];
  if (addresses.length > most) throw invalid(`${field}: at most ${most} addresses`);
  const checked = addresses.map((address) => emailAddress(address, field));
  checkEachOnce(checked, field);
  return checked;
}

/** Throws `invalid_request` for an address that would get two copies. */
export function checkCopies({ cc, bcc }: CopyAddresses): void {
  checkEachOnce([...cc, ...bcc], 'bcc');
}

function checkEachOnce(addresses: readonly string[], field: 'cc' | 'bcc'): void {
  const seen = new Set<string>();
  for (const address of addresses) {
    if (seen.has(mailboxKey(address))) throw invalid(`${field}: ${address} would get two copies; name it once, in cc or bcc`);
    seen.add(mailboxKey(address));
  }
}
