import type { ZodError } from 'zod';
import { invalid, type OutreachError } from '../core/errors.ts';
import { fieldName, issueMessage } from '../fields/issues.ts';

/**
 * Returns the first problem of an input as an `invalid_request`, after the path of its field: `sending_days[2]: must be at
 * most 7`. An unknown field comes before other problems: it is often a misspelling of the field that seems to be missing.
 * @param kind the kind of input; a search has fields of its own, which are not query parameters
 */
export function inputError(error: ZodError, input: unknown, kind: 'field' | 'query parameter'): OutreachError {
  const issue = error.issues.find(({ code }) => code === 'unrecognized_keys') ?? error.issues[0];
  if (issue === undefined) return invalid('malformed input');
  const field = fieldName(issue.path);
  const lead = field === '' ? '' : `${field}: `;
  if (issue.code === 'unrecognized_keys') return invalid(`${lead}unknown ${kind} "${issue.keys[0]}"`);
  return invalid(lead + issueMessage(issue, input));
}
