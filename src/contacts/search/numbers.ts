import { invalid } from '../../core/errors.ts';
import { join, raw, type Sql, sql } from '../../db/statement.ts';
import type { Scalar, Value } from './ast.ts';
import { bound, requireForward } from './values.ts';

const NUMBER = /^[+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:e[+-]?\d{1,3})?$/i;
/** The same for stored text: PostgreSQL can cast every match to numeric. */
const NUMBER_SQL = '^[+-]?([0-9]+([.][0-9]+)?|[.][0-9]+)([eE][+-]?[0-9]{1,3})?$';
const INT_MIN = -2_147_483_648;
const INT_MAX = 2_147_483_647;

/** Range of integers, both ends included; empty if `from` exceeds `to`. */
export interface IntegerRange {
  from: number;
  to: number;
}

/** Returns the integers that a number, a comparison or a range matches. Throws `invalid_request` for an invalid number. */
export function integersOf(field: string, value: Value): IntegerRange {
  const read = (scalar: Scalar) => Number(numberText(field, scalar));
  if (value.kind === 'range') {
    const [from, to] = [bound(value.from, read), bound(value.to, read)];
    requireForward(field, value, from === null || to === null || from <= to);
    return within(from === null ? INT_MIN : Math.ceil(from), to === null ? INT_MAX : Math.floor(to));
  }
  const number = read(value.scalar);
  switch (value.operator) {
    case '>':
      return within(Math.floor(number) + 1, INT_MAX);
    case '>=':
      return within(Math.ceil(number), INT_MAX);
    case '<':
      return within(INT_MIN, Math.ceil(number) - 1);
    case '<=':
      return within(INT_MIN, Math.floor(number));
    default:
      return within(Math.ceil(number), Math.floor(number));
  }
}

/** Clamps a range to PostgreSQL's type `integer`. */
const within = (from: number, to: number): IntegerRange =>
  from > to || from > INT_MAX || to < INT_MIN ? { from: 1, to: 0 } : { from: Math.max(from, INT_MIN), to: Math.min(to, INT_MAX) };

/** Condition: the integer column lies in the range. */
export function integerIn(column: Sql, { from, to }: IntegerRange): Sql {
  if (from > to) return sql`false`;
  return from === to ? sql`${column} = ${from}::int` : sql`${column} between ${from}::int and ${to}::int`;
}

/**
 * Condition: the stored text is a number that matches the value; other text never matches and never raises an error.
 * Throws `invalid_request` for a value that is not a number.
 */
export function numericCondition(field: string, text: Sql, value: Value): Sql {
  const compared = (operator: string, scalar: Scalar) => sql`(${text})::numeric ${raw(operator)} ${numberText(field, scalar)}::numeric`;
  if (value.kind === 'comparison') return ofForm(text, NUMBER_SQL, [compared(value.operator || '=', value.scalar)]);
  const read = (scalar: Scalar) => Number(numberText(field, scalar));
  const [from, to] = [bound(value.from, read), bound(value.to, read)];
  requireForward(field, value, from === null || to === null || from <= to);
  const low = from === null ? [] : [compared('>=', value.from)];
  return ofForm(text, NUMBER_SQL, to === null ? low : [...low, compared('<=', value.to)]);
}

/**
 * Condition: the stored text has a form and meets conditions that are valid only for that form. The comparison with 1 makes the planner
 * expect few matches: it assumes that equality is rare, and that half the rows meet a bare condition.
 */
export const ofForm = (text: Sql, form: string, conditions: Sql[]): Sql =>
  sql`case when ${text} ~ ${form} then (${join([sql`true`, ...conditions], ' and ')})::int else 0 end = 1`;

function numberText(field: string, { text }: Scalar): string {
  if (!NUMBER.test(text)) throw invalid(`"${text}" is not a number for ${field}`);
  return text;
}
