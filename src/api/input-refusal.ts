import type { ZodError } from 'zod';
import { invalid, type OutreachError } from '../core/errors.ts';

/**
 * The first broken rule of an input, led by the field it belongs to: `sending_days[2]: must be at most 7`. A name that is
 * no field comes before the rest, since it often is the misspelt name of what seems to be missing.
 */
export function refusalOfInput(error: ZodError, input: unknown): OutreachError {
  const issue = error.issues.find(({ code }) => code === 'unrecognized_keys') ?? error.issues[0];
  if (issue === undefined) return invalid('malformed input');
  const field = fieldName(issue.path);
  const lead = field === '' ? '' : `${field}: `;
  if (issue.code === 'unrecognized_keys') return invalid(`${lead}unknown field "${issue.keys[0]}"`);
  if (isMissing(input, issue.path)) return invalid(`${lead}is required`);
  return invalid(lead + ruleOf(issue));
}

function ruleOf(issue: ZodError['issues'][number]): string {
  // Where a door words the rule itself, its words stand; these are for what it leaves to zod.
  if (issue.code === 'invalid_value' && issue.message.startsWith('Invalid')) return `must be one of ${issue.values.join(', ')}`;
  if (issue.code === 'invalid_type' && issue.message.startsWith('Invalid')) return `must be ${KINDS[issue.expected] ?? issue.expected}`;
  return issue.message;
}

/** What JSON calls zod's types (RFC 8259 §1). */
const KINDS: Record<string, string> = { record: 'an object', object: 'an object', array: 'an array' };

/** Also for the refusals of the shell, so that a field is named alike wherever it is refused. */
export const fieldName = (path: readonly PropertyKey[]): string =>
  path
    .map((part) => (typeof part === 'number' ? `[${part}]` : String(part)))
    .join('.')
    .replaceAll('.[', '[');

function isMissing(input: unknown, path: readonly PropertyKey[]): boolean {
  if (path.length === 0) return false;
  let value = input;
  for (const part of path) value = (value as Record<PropertyKey, unknown> | null | undefined)?.[part];
  return value === undefined;
}
