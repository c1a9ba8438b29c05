import { isSharedMailbox } from './shared-mailbox.ts';

/** The person who was emailed, as far as we know them. */
export interface Mailed {
  /** Name of the contact; empty if none is stored. */
  name: string;
  /** The address that was written to. */
  address: string;
}

/** Whoever writes from another address of the same domain. */
export interface Author {
  /** The name in From; may be empty. */
  name: string;
  address: string;
}

/** Titles, and words that join the parts of a name. */
const NO_NAMES = new Set(
  `adv al bin col da das de del della den der des di dipl dos dott dr dra du el esq fr frau gen herr hr ibn ii iii ing ir jr la le lic llb llm
  ma mag mba md med mevr mgr miss mlle mme monsieur mr mrs ms mx phd prof sir sr sra ten ter van vom von zu zum zur`.split(/\s+/),
);

/** Letters that are written in several ways, in one of them: `Müller`, `Mueller` and `Muller` are one name. */
const folded = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('æ', 'ae')
    .replaceAll('œ', 'oe')
    .replaceAll('ø', 'o')
    .replaceAll('ł', 'l')
    .replaceAll('đ', 'd')
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/([aou])e/g, '$1');

const wordsIn = (text: string): string[] => folded(text).match(/\p{L}+/gu) ?? [];
const isName = (word: string): boolean => [...word].length > 1 && !NO_NAMES.has(word);

/** The names in a display name. What follows a comma, a bar, a bracket or a dash is left out, but not the first name in `Müller, Jürgen`. */
function namesIn(display: string): string[] {
  const [before = '', after = ''] = display.split(/[|;(]|\s[-–—]\s/)[0]?.split(',') ?? [];
  const names = wordsIn(before).filter(isName);
  const rest = wordsIn(after).filter(isName);
  return names.length === 1 && rest.length <= 2 ? [...names, ...rest] : names;
}

const localPartOf = (address: string): string => address.slice(0, address.lastIndexOf('@'));

/** True if each word of a local part is a name, its initial, or made of names and initials: `jmueller`, `juergen.m` and `jm` of Jürgen Müller. */
function isMadeOf(words: readonly string[], names: readonly string[]): boolean {
  const parts = names.flatMap((name) => [name, name.slice(0, 1)]);
  const initials = names.map((name) => name.slice(0, 1)).join('');
  const isOf = (word: string) =>
    parts.includes(word) || (word.length > 1 && word === initials) || parts.some((a) => parts.some((b) => a !== b && word === a + b));
  return words.some((word) => word.length > 1) && words.every(isOf);
}

/**
 * Why somebody who writes from another address of the domain that was emailed is the emailed person; null where they are somebody else.
 * Pure. The rule: docs/what-a-message-proves.md, The same person.
 */
export function sameAs(author: Author, mailed: Mailed): string | null {
  if (isSharedMailbox(mailed.address)) return 'several people read the emailed address';
  const names = wordsIn(mailed.name).filter(isName);
  if (names.length === 0) return 'the contact has no name, and the domain is the same';
  const local = wordsIn(localPartOf(author.address).replaceAll(/\d+/g, ' '));
  const common = [...namesIn(author.name), ...local].find((name) => isName(name) && names.includes(name));
  if (common !== undefined) return 'a name in common, and the same domain';
  return isMadeOf(local, names) ? 'an address made of the name of the contact, in the same domain' : null;
}
