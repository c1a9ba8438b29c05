/** `{{key}}` or `{{key|fallback}}`; anything else after `{{`, closed or not, is an unknown placeholder. */
const PLACEHOLDER = /\{\{(?:([^{}]*)\}\})?/g;

/** The placeholder of the sending account's signature. */
export const SIGNATURE = 'signature';
/** The placeholder of the link by which the recipient unsubscribes. */
export const OPT_OUT = 'unsubscribe_url';

export interface Placeholder {
  key: string;
  fallback: string;
  start: number;
  end: number;
}

/** Finds the placeholders of a text in their order. */
export function placeholdersOf(text: string): Placeholder[] {
  return [...text.matchAll(PLACEHOLDER)].map((match) => {
    const [start, end] = [match.index, match.index + match[0].length];
    const [, inside] = match;
    // Unclosed: named by the text after it, so that its author can find it.
    if (inside === undefined) return { key: text.slice(end, end + 20).trim(), fallback: '', start, end };
    const bar = inside.indexOf('|');
    if (bar === -1) return { key: inside.trim(), fallback: '', start, end };
    return { key: inside.slice(0, bar).trim(), fallback: inside.slice(bar + 1).trim(), start, end };
  });
}

/** Lists the keys that a text uses, each once, in the order of their first use, without `signature`. */
export function findPlaceholders(text: string): string[] {
  const keys = placeholdersOf(text).map(({ key }) => key);
  return [...new Set(keys)].filter((key) => key !== SIGNATURE);
}

/** The text with its placeholders replaced by letters of the same length, but for the `?` and `#` of URLs in fallbacks. */
export const withoutPlaceholders = (text: string): string => text.replaceAll(PLACEHOLDER, (whole) => whole.replaceAll(/[^?#]/g, 'x'));

/** Placeholders that a message names; a text of 256 KiB can have thousands, and each can be as long. */
const NAMED = 5;
const NAMED_LENGTH = 60;

/** Names placeholders for people: `{{a}}, {{b}}`, the first few of many. */
export function namePlaceholders(keys: readonly string[]): string {
  const names = keys.slice(0, NAMED).map((key) => `{{${key.length > NAMED_LENGTH ? `${key.slice(0, NAMED_LENGTH)}…` : key}}}`);
  return `${names.join(', ')}${keys.length > NAMED ? ` and ${keys.length - NAMED} more` : ''}`;
}
