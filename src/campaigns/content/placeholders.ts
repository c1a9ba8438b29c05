import { marksOf } from './notation.ts';

/** The placeholder of the sending account's signature. */
export const SIGNATURE = 'signature';
/** The placeholder of the link by which the recipient unsubscribes. */
export const OPT_OUT = 'unsubscribe_url';

export interface Placeholder {
  key: string;
  /**
   * True if the email is complete without a value: the placeholder has a fallback, is a condition, or is inside a condition on its own key.
   */
  isOptional: boolean;
}

/** Finds the placeholders of a text in their order, including conditions and invalid placeholders. */
export function placeholdersOf(text: string): Placeholder[] {
  const placeholders: Placeholder[] = [];
  /** Keys of the enclosing conditions, the innermost last; null after `{{else}}`. */
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

/**
 * Maximum number of placeholders that a message names, and maximum length of each. A text of 256 KiB can contain thousands of them, or a
 * single one of that length.
 */
const MAX_NAMED = 5;
const MAX_NAME_LENGTH = 60;

/** Lists placeholders for a message: `{{a}}, {{b}}`. Names only the first few of many. */
export function namePlaceholders(keys: readonly string[]): string {
  const names = keys.slice(0, MAX_NAMED).map((key) => `{{${key.length > MAX_NAME_LENGTH ? `${key.slice(0, MAX_NAME_LENGTH)}…` : key}}}`);
  return `${names.join(', ')}${keys.length > MAX_NAMED ? ` and ${keys.length - MAX_NAMED} more` : ''}`;
}

/** Describes what is wrong with keys that no field has, for example `unknown placeholder {{nme}}`. */
export function unknownProblem(keys: readonly string[]): string {
  const unpaired = keys.find((key) => /^(?:#if\b|\/if$|else$)/.test(key));
  const snippet = keys.find((key) => /^(?:>|&gt;)/.test(key));
  if (snippet !== undefined) return `no template had the name in ${namePlaceholders([snippet])} when the step was saved; save it again`;
  if (unpaired === undefined) return `unknown placeholder ${namePlaceholders(keys)}`;
  return `${namePlaceholders([unpaired])} without its ${unpaired.startsWith('#if') ? '{{/if}}' : '{{#if key}}'}`;
}
