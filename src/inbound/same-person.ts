import { isSharedMailbox } from './shared-mailbox.ts';

/** The contact who was emailed, as far as known. */
export interface Mailed {
  /** Name of the contact; empty if none is stored. */
  name: string;
  /** The address that was emailed. */
  address: string;
}

/** The author of a message from another address of the same domain. */
export interface Author {
  /** The name in From; may be empty. */
  name: string;
  address: string;
}

/** Titles, and particles that join the parts of a name. */
const TITLES_AND_PARTICLES = new Set(
  `adv al bin col da das de del della den der des di dipl dos dott dr dra du el esq fr frau gen herr hr ibn ii iii ing ir jr la le lic llb llm
  ma mag mba md med mevr mgr miss mlle mme monsieur mr mrs ms mx phd prof sir sr sra ten ter van vom von zu zum zur`.split(/\s+/),
);

/** Folds variant spellings of letters, so that `Müller`, `Mueller` and `Muller` are the same name. */
const foldSpelling = (text: string): string =>
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

const wordsIn = (text: string): string[] => foldSpelling(text).match(/\p{L}+/gu) ?? [];
const isName = (word: string): boolean => [...word].length > 1 && !TITLES_AND_PARTICLES.has(word);

/**
 * Returns the names in a display name. Leaves out everything after a comma, bar, bracket or dash, except for a first name as in `Müller,
 * Jürgen`.
 */
function namesIn(display: string): string[] {
  const [before = '', after = ''] = display.split(/[|;(]|\s[-–—]\s/)[0]?.split(',') ?? [];
  const names = wordsIn(before).filter(isName);
  const rest = wordsIn(after).filter(isName);
  return names.length === 1 && rest.length <= 2 ? [...names, ...rest] : names;
}

const localPartOf = (address: string): string => address.slice(0, address.lastIndexOf('@'));

/** Returns true if each word of a local part is a name, an initial or a combination: `jmueller`, `juergen.m` and `jm` for Jürgen Müller. */
function isMadeOf(words: readonly string[], names: readonly string[]): boolean {
  const parts = names.flatMap((name) => [name, name.slice(0, 1)]);
  const initials = names.map((name) => name.slice(0, 1)).join('');
  const isOf = (word: string) =>
    parts.includes(word) || (word.length > 1 && word === initials) || parts.some((a) => parts.some((b) => a !== b && word === a + b));
  return words.some((word) => word.length > 1) && words.every(isOf);
}

/**
 * Returns why an author with another address of the emailed domain is the emailed contact; null for somebody else. Does no I/O. The rule is
 * in docs/what-a-message-proves.md, The same person.
 */
export function sameAs(author: Author, mailed: Mailed): string | null {
  if (isSharedMailbox(mailed.address)) return 'several people read the emailed address';
  const names = wordsIn(mailed.name).filter(isName);
  if (names.length === 0) return 'the contact has no name, and the domain is the same';
  const local = wordsIn(localPartOf(author.address).replaceAll(/\d+/g, ' '));
  const common = [...namesIn(author.name), ...local].find((name) => isName(name) && names.includes(name));
  if (common !== undefined) return 'a name in common, and the same domain';
  return isMadeOf(local, names) ? "an address made from the contact's name, in the same domain" : null;
}
