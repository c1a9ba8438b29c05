import type { ZodError } from 'zod';
import { invalid, type OutreachError } from '../core/errors.ts';

/**
 * Words the first problem of an input as an `invalid_request`, after the path of its field: `sending_days[2]: must be at
 * most 7`. An unknown field comes before other problems: it is often a misspelling of the field that seems to be missing.
 */
export function inputError(error: ZodError, input: unknown): OutreachError {
  const issue = error.issues.find(({ code }) => code === 'unrecognized_keys') ?? error.issues[0];
  if (issue === undefined) return invalid('malformed input');
  const field = fieldName(issue.path);
  const lead = field === '' ? '' : `${field}: `;
  if (issue.code === 'unrecognized_keys') return invalid(`${lead}unknown field "${issue.keys[0]}"`);
  if (isMissing(input, issue.path)) return invalid(`${lead}is required`);
  return invalid(lead + messageOf(issue));
}

/** The message that the schema gives, or one in the style of the API where the schema leaves it to zod. */
function messageOf(issue: ZodError['issues'][number]): string {
  if (issue.code === 'invalid_value' && issue.message.startsWith('Invalid')) return `must be one of ${issue.values.join(', ')}`;
  if (issue.code === 'invalid_type' && issue.message.startsWith('Invalid'))
    return `must be ${JSON_TYPES[issue.expected] ?? issue.expected}`;
  return issue.message;
}

/** Zod's types as JSON names them (RFC 8259 §1). */
const JSON_TYPES: Record<string, string> = { record: 'an object', object: 'an object', array: 'an array' };

/** Writes the path of a field: `steps[2].subject`. */
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
