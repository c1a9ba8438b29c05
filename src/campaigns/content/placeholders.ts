import { marksOf } from './notation.ts';

/** The placeholder of the sending account's signature. */
export const SIGNATURE = 'signature';
/** The placeholder of the link by which the recipient unsubscribes. */
export const OPT_OUT = 'unsubscribe_url';

export interface Placeholder {
  key: string;
  /** Nothing is missing without a value: it has a fallback, is a condition, or is in the condition that there is one. */
  isOptional: boolean;
}

/** Finds the placeholders of a text in their order, those of conditions and those that are none included. */
export function placeholdersOf(text: string): Placeholder[] {
  const placeholders: Placeholder[] = [];
  /** Keys of the conditions around, the innermost last; null behind `{{else}}`. */
  const conditions: (string | null)[] = [];
  const filled = new Map<string, number>();
  const count = (key: string | null | undefined, by: number) => key != null && filled.set(key, (filled.get(key) ?? 0) + by);
  for (const { role, key, fallback } of marksOf(text)) {
    if (role === 'if') {
      conditions.push(key);
      count(key, 1);
    }
    if (role === 'else' || role === 'endif') count(conditions.pop(), -1);
    if (role === 'else') conditions.push(null);
    if (role === 'value' || role === 'brace' || role === 'if')
      placeholders.push({ key, isOptional: fallback !== '' || (filled.get(key) ?? 0) > 0 });
  }
  return placeholders;
}

/** Lists the keys that a text uses, each once, in the order of their first use, without `signature`. */
export function findPlaceholders(text: string): string[] {
  const keys = placeholdersOf(text).map(({ key }) => key);
  return [...new Set(keys)].filter((key) => key !== SIGNATURE);
}

/** Placeholders that a message names; a text of 256 KiB can have thousands, and each can be as long. */
const NAMED = 5;
const NAMED_LENGTH = 60;

/** Names placeholders for people: `{{a}}, {{b}}`, the first few of many. */
export function namePlaceholders(keys: readonly string[]): string {
  const names = keys.slice(0, NAMED).map((key) => `{{${key.length > NAMED_LENGTH ? `${key.slice(0, NAMED_LENGTH)}…` : key}}}`);
  return `${names.join(', ')}${keys.length > NAMED ? ` and ${keys.length - NAMED} more` : ''}`;
}

/** Says about keys that no field has what is wrong with them: `unknown placeholder {{nme}}`. */
export function unknownProblem(keys: readonly string[]): string {
  const lonely = keys.find((key) => /^(?:#if\b|\/if$|else$)/.test(key));
  const snippet = keys.find((key) => /^(?:>|&gt;)/.test(key));
  if (snippet !== undefined) return `no template had the name in ${namePlaceholders([snippet])} when the step was saved; save it again`;
  if (lonely === undefined) return `unknown placeholder ${namePlaceholders(keys)}`;
  return `${namePlaceholders([lonely])} without its ${lonely.startsWith('#if') ? '{{/if}}' : '{{#if key}}'}`;
}
