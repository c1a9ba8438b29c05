import { invalid } from '../core/errors.ts';

/**
 * Trims and checks the name of a user, workspace or key: 1 to `max` characters, no control characters, which could inject
 * email headers or terminal sequences. Throws `invalid_request`.
 */
export function checkedName(text: string, max = 255): string {
  const name = text.trim();
  if (name === '' || [...name].length > max) throw invalid(`name: 1 to ${max} characters`);
  if (/[\p{Cc}\u2028\u2029]/u.test(name)) throw invalid('name: must not contain line breaks or control characters');
  return name;
}
