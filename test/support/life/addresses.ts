/** Addresses in the model, computed differently from the program: domains by the URL parser, and without tags. */

/** Returns the same text for all spellings of an address. */
export function keyOf(address: string): string {
  const at = address.lastIndexOf('@');
  return `${address.slice(0, at).toLowerCase()}@${domainOf(address)}`;
}

/** Returns the same text for all addresses of a mailbox. */
export const mailboxOf = (address: string): string => keyOf(address).replace(/\+.*@/, '@');

export const domainOf = (address: string): string => new URL(`http://${address.slice(address.lastIndexOf('@') + 1)}`).hostname;

export const isOneMailbox = (one: string, other: string): boolean => mailboxOf(one) === mailboxOf(other);

/** Returns the address with a tag, in capitals, its domain in A-labels. */
export function respelled(address: string): string {
  const local = address.slice(0, address.lastIndexOf('@'));
  return `${local.replace(/\+.*/, '')}+x@${domainOf(address)}`.toUpperCase();
}
