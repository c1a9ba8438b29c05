import { emailAddress, isOneMailbox } from '../../core/email-address.ts';
import { invalid } from '../../core/errors.ts';

/** Addresses that may get a copy of an answer. */
export const MAX_COPIES = 10;

/**
 * Checks and cleans the addresses that get a copy of an answer. Throws `invalid_request` for a malformed one, for the recipient, for one that is
 * named twice, and for more than 10.
 */
export function copyAddresses(addresses: readonly string[], recipient: string): string[] {
  if (addresses.length > MAX_COPIES) throw invalid(`cc: at most ${MAX_COPIES} addresses`);
  const cleaned = addresses.map((address) => emailAddress(address, 'cc'));
  for (const [index, address] of cleaned.entries()) {
    if (isOneMailbox(address, recipient)) throw invalid(`cc: ${address} gets the answer itself`);
    if (cleaned.slice(0, index).some((other) => isOneMailbox(address, other))) throw invalid(`cc: ${address} is named twice`);
  }
  return cleaned;
}
