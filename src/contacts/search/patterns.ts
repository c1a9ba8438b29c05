import { type Sql, sql } from '../../db/statement.ts';
import { likeLiteral } from '../read-contact.ts';
import type { Scalar, Value } from './ast.ts';
import { plainScalar } from './values.ts';

/** What text must look like: a literal, which may have anything before it or after it. */
export interface Pattern {
  literal: string;
  anythingBefore: boolean;
  anythingAfter: boolean;
}

/**
 * The pattern of a value: a substring, unless it is written `=whole` or with a `*` at either end, which leaves the other
 * end fixed. Throws `invalid_request` for operators that need an order.
 * @param wholly the field is compared as a whole even without `=`
 */
export function patternOf(field: string, value: Value, wholly: boolean): Pattern {
  const scalar = plainScalar(field, value);
  const isWhole = wholly || (value.kind === 'comparison' && value.operator === '=');
  return wildcards(scalar) ?? { literal: scalar.text, anythingBefore: !isWhole, anythingAfter: !isWhole };
}

/** The pattern of bare text with a `*` at either end; undefined for any other. */
export function wildcards({ text, isQuoted }: Scalar): Pattern | undefined {
  const anythingBefore = !isQuoted && text.startsWith('*');
  const anythingAfter = !isQuoted && text.endsWith('*');
  if (!anythingBefore && !anythingAfter) return undefined;
  const literal = text.slice(anythingBefore ? 1 : 0, anythingAfter && text.length > 1 ? -1 : undefined);
  return { literal, anythingBefore, anythingAfter };
}

/**
 * The condition that text matches, in any case; `text` must not be null. Both sides are folded by the database, so that
 * letters which JavaScript folds differently are found too.
 */
export function textLike(text: Sql, { literal, anythingBefore, anythingAfter }: Pattern): Sql {
  if (!anythingBefore && !anythingAfter) return sql`lower(${text}) = lower(${literal})`;
  return sql`lower(${text}) like lower(${(anythingBefore ? '%' : '') + likeLiteral(literal) + (anythingAfter ? '%' : '')})`;
}
