const LINK = /^mailto:([^?]*)(?:\?.*)?$/i;
/** `Name <a@b>`, `"Name" <a@b>`, `<a@b>`: what email clients and address books copy. */
const IN_BRACKETS = /^[^<>]*<([^<>]*)>$/;
const END = /(?<![.,;\s])[.,;\s]+$/;

/**
 * Strips an address in a hand-made file of what email clients and typing add to it: `mailto:`, a name, brackets, a final dot or comma. Text
 * that could mean more than one address stays unchanged.
 */
export function writtenAddress(text: string): string {
  const trimmed = text.trim().replace(END, '');
  const inside = (IN_BRACKETS.exec(trimmed)?.[1] ?? trimmed).trim();
  return (LINK.exec(inside)?.[1] ?? inside).replace(END, '').trim();
}
