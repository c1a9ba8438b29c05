import type { ZodError } from 'zod';

type Issue = ZodError['issues'][number];

/** Writes the path of a field: `steps[2].subject`. */
export const fieldName = (path: readonly PropertyKey[]): string =>
  path
    .map((part) => (typeof part === 'number' ? `[${part}]` : String(part)))
    .join('.')
    .replaceAll('.[', '[');

/** Returns the message of an issue without the name of its field: the one that the schema gives, or our own in place of zod's. */
export function issueMessage(issue: Issue, input: unknown): string {
  if (issue.code !== 'unrecognized_keys' && isMissing(input, issue.path)) return 'is required';
  if (issue.code === 'invalid_value' && issue.message.startsWith('Invalid')) return `must be one of ${issue.values.join(', ')}`;
  if (issue.code === 'invalid_type' && issue.message.startsWith('Invalid'))
    return `must be ${JSON_TYPES[issue.expected] ?? issue.expected}`;
  return issue.message;
}

/** Zod's types as JSON names them (RFC 8259 §1). */
const JSON_TYPES: Record<string, string> = { record: 'an object', object: 'an object', array: 'an array' };

function isMissing(input: unknown, path: readonly PropertyKey[]): boolean {
  if (path.length === 0) return false;
  let value = input;
  for (const part of path) value = (value as Record<PropertyKey, unknown> | null | undefined)?.[part];
  return value === undefined;
}
