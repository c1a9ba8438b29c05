import { emailAddress, isOneMailbox } from '../../core/email-address.ts';
import { invalid } from '../../core/errors.ts';

/** Maximum number of addresses that get a copy of an answer. */
export const MAX_COPIES = 10;

/**
 * Validates and normalizes the addresses that get a copy of an answer. Throws `invalid_request` for a malformed address, for the recipient,
 * for a duplicate, and for more than 10 addresses.
 */
export function copyAddresses(addresses: readonly string[], recipient: string): string[] {
  if (addresses.length > MAX_COPIES) throw invalid(`cc: at most ${MAX_COPIES} addresses`);
  const cleaned = addresses.map((address) => emailAddress(address, 'cc'));
  for (const [index, address] of cleaned.entries()) {
    if (isOneMailbox(address, recipient)) throw invalid(`cc: ${address} gets the answer itself`);
    if (cleaned.slice(0, index).some((other) => isOneMailbox(address, other))) throw invalid(`cc: ${address} is listed twice`);
  }
  return cleaned;
}
