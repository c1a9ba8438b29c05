import type { Sql } from '../../db/statement.ts';
import { likeLiteral } from '../read-contact.ts';
import { equalsIgnoringCase, likeIgnoringCase } from '../same-letters.ts';
import type { Scalar, Value } from './ast.ts';
import { plainScalar } from './values.ts';

/** A literal that may have other text before or after it. */
export interface Pattern {
  literal: string;
  anythingBefore: boolean;
  anythingAfter: boolean;
}

/**
 * Returns the pattern of a value: a substring, unless it is written as `=whole` or with a `*` at either end, which anchors
 * the other end. Throws `invalid_request` for operators that need an order.
 * @param wholly true if the field is compared as a whole even without `=`
 */
export function patternOf(field: string, value: Value, wholly: boolean): Pattern {
  const scalar = plainScalar(field, value);
  const isWhole = wholly || (value.kind === 'comparison' && value.operator === '=');
  return wildcards(scalar) ?? { literal: scalar.text, anythingBefore: !isWhole, anythingAfter: !isWhole };
}

/** Returns the pattern of unquoted text with a `*` at either end; undefined for any other text. */
export function wildcards({ text, isQuoted }: Scalar): Pattern | undefined {
  const anythingBefore = !isQuoted && text.startsWith('*');
  const anythingAfter = !isQuoted && text.endsWith('*');
  if (!anythingBefore && !anythingAfter) return undefined;
  const literal = text.slice(anythingBefore ? 1 : 0, anythingAfter && text.length > 1 ? -1 : undefined);
  return { literal, anythingBefore, anythingAfter };
}

/** The pattern for LIKE. */
export const likePattern = ({ literal, anythingBefore, anythingAfter }: Pattern): string =>
  `${anythingBefore ? '%' : ''}${likeLiteral(literal)}${anythingAfter ? '%' : ''}`;

/** Condition: the text matches the pattern, ignoring case; `text` must not be null. */
export function textLike(text: Sql, pattern: Pattern): Sql {
  const isWhole = !pattern.anythingBefore && !pattern.anythingAfter;
  return isWhole ? equalsIgnoringCase(text, pattern.literal) : likeIgnoringCase(text, likePattern(pattern));
}
