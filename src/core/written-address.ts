const LINK = /^mailto:([^?]*)(?:\?.*)?$/i;
/** `Name <a@b>`, `"Name" <a@b>`, `<a@b>`: what email clients and address books copy. */
const IN_BRACKETS = /^[^<>]*<([^<>]*)>$/;
const END = /(?<![.,;\s])[.,;\s]+$/;

/**
 * An address as it is written in a file that people made, without what email clients and typing add to it: `mailto:`, a name, brackets, a
 * final dot or comma. Text in which more than one address could be meant stays as it is.
 */
export function writtenAddress(text: string): string {
  const trimmed = text.trim().replace(END, '');
  const inside = (IN_BRACKETS.exec(trimmed)?.[1] ?? trimmed).trim();
  return (LINK.exec(inside)?.[1] ?? inside).replace(END, '').trim();
}
