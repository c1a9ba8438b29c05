import { invalid } from '../../core/errors.ts';
import type { Range, Scalar, Value } from './ast.ts';

/** True for `field:*`: any value. */
export const isAny = (value: Value): boolean => value.kind === 'comparison' && value.operator === '' && isWord(value.scalar, '*');

/** True for `field:none`: no value. */
export const isNone = (value: Value): boolean => value.kind === 'comparison' && value.operator === '' && isWord(value.scalar, 'none');

/** True for an unquoted keyword; in quotes it is plain text. */
export const isWord = (scalar: Scalar, word: string): boolean => !scalar.isQuoted && scalar.text.toLowerCase() === word;

/** Throws `invalid_request` if a value is missing. */
export function requireValue(field: string, value: Value): void {
  const scalars = value.kind === 'range' ? [value.from, value.to] : [value.scalar];
  if (scalars.some(({ text }) => text === '')) throw invalid(`empty value for ${field}`);
}

/** Reads one end of a range; null for `*`, an open end. */
export const bound = (scalar: Scalar, read: (scalar: Scalar) => number): number | null => (isWord(scalar, '*') ? null : read(scalar));

/** Throws `invalid_request` for a range that ends before it begins, which would match nothing. */
export function requireForward(field: string, range: Range, isForward: boolean): void {
  if (!isForward) throw invalid(`the range ${range.from.text}..${range.to.text} for ${field} runs backwards`);
}

/** Reads the value of a field without an order. Throws `invalid_request` for comparisons and ranges. */
export function plainScalar(field: string, value: Value): Scalar {
  if (value.kind === 'range') throw invalid(`a range does not apply to ${field}; quote the value to search for it literally`);
  if (value.operator !== '' && value.operator !== '=')
    throw invalid(`"${value.operator}" does not apply to ${field}; quote the value to search for it literally`);
  return value.scalar;
}
