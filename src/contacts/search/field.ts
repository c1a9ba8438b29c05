import type { Caller } from '../../access/index.ts';
import type { App } from '../../app.ts';
import { invalid } from '../../core/errors.ts';
import { join, raw, type Sql, sql } from '../../db/statement.ts';
import type { CustomFieldRow } from '../custom-fields.ts';
import type { Value } from './ast.ts';
import { integerIn, integersOf } from './numbers.ts';
import { type Pattern, patternOf, textLike } from './patterns.ts';
import { ALWAYS, type Span, spanOf } from './spans.ts';
import { plainScalar } from './values.ts';

/** Who searches, when, and over which custom fields: what the meaning of a query depends on beside its words. */
export interface SearchContext {
  app: App;
  caller: Caller;
  now: Date;
  customFields: readonly CustomFieldRow[];
  /** The condition that the contact's next mail is in the span; the campaigns know, which this room can't ask. */
  nextSend: (span: Span) => Sql;
}

/**
 * A field of the language. Every condition it makes is about the contact `c` (fields of enrolments: about an enrolment)
 * and is true or false, never null, so that it can be negated. Where it gives several, one of them has to hold; they are
 * kept apart because PostgreSQL finds each by its own index, but not a pair of them joined by OR.
 */
export interface Field {
  name: string;
  /** The conditions that there is any value: `field:*`. */
  any: Sql[];
  /** The conditions of one value. Throws `invalid_request` for a value that does not fit the field. */
  match(value: Value): Sql[];
  /** Whether the values live in other tables. */
  isElsewhere?: boolean;
  /** For `is:`, which takes fields that are true or false, and `has:`, which takes those that can be empty. */
  sugar?: { is?: boolean; has?: boolean };
}

/** Parts of a field that differ from what its kind does by itself. */
type Part = Partial<Pick<Field, 'any' | 'isElsewhere' | 'sugar'>>;

/** Puts a condition on a column into one on the contact, for values that live in another table. */
type Where = (condition: Sql, pattern?: Pattern) => Sql;

const asItIs: Where = (condition) => condition;

export const integerField = (name: string, column: Sql, where: Where = asItIs, part: Part = {}): Field => ({
  name,
  any: [where(sql`true`)],
  match: (value) => [where(integerIn(column, integersOf(name, value)))],
  ...part,
});

/** Text compared as a whole, `*` at either end allowed. @param column must not be null */
export const wholeTextField = (name: string, column: Sql, where: Where = asItIs, part: Part = {}): Field => ({
  name,
  any: [where(sql`true`)],
  match(value) {
    const pattern = patternOf(name, value, true);
    return [where(textLike(column, pattern), pattern)];
  },
  ...part,
});

/** Text searched for a substring. @param column must not be null */
export const textField = (name: string, column: Sql, where: Where = asItIs, part: Part = {}): Field => ({
  name,
  any: [sql`${column} <> ''`],
  match(value) {
    const pattern = patternOf(name, value, false);
    return [where(textLike(column, pattern), pattern)];
  },
  ...part,
});

/** A date. @param where gives the conditions that it lies in the span */
export const dateField = (name: string, context: SearchContext, where: (span: Span) => Sql[], part: Part = {}): Field => ({
  name,
  any: where(ALWAYS),
  match: (value) => where(spanOf(name, value, context.now)),
  ...part,
});

export const booleanField = (name: string, isTrue: Sql, part: Part = {}): Field => ({
  name,
  any: [sql`true`],
  match: (value) => [booleanOf(name, value) ? isTrue : sql`not (${isTrue})`],
  sugar: { is: true },
  ...part,
});

/** Throws `invalid_request` for anything but true, false, yes and no. */
export function booleanOf(field: string, value: Value): boolean {
  const scalar = plainScalar(field, value);
  const boolean = readBoolean(scalar.text);
  if (boolean === undefined) throw invalid(`"${scalar.text}" is not true or false for ${field}`);
  return boolean;
}

export function readBoolean(text: string): boolean | undefined {
  if (/^(?:true|yes)$/i.test(text)) return true;
  return /^(?:false|no)$/i.test(text) ? false : undefined;
}

/** One of a few words. Throws `invalid_request` that lists them. */
export function wordOf(field: string, value: Value, words: readonly string[]): string {
  const scalar = plainScalar(field, value);
  const word = words.find((known) => known === scalar.text.toLowerCase());
  if (word === undefined) throw invalid(`unknown ${field} "${scalar.text}"; use ${words.join(', ')}`);
  return word;
}

/** The condition that an instant lies in the span. */
export function instantIn(column: string, { from, to }: Span): Sql {
  const ends: Sql[] = [];
  if (from !== null) ends.push(sql`${raw(column)} >= ${instant(from)}`);
  if (to !== null) ends.push(sql`${raw(column)} < ${instant(to)}`);
  return ends.length === 0 ? sql`${raw(column)} is not null` : sql`(${join(ends, ' and ')})`;
}

/** Not as a Date: the driver writes those with the offset of this machine's zone, which old zones have in seconds. */
export const instant = (milliseconds: number): Sql => sql`to_timestamp(${milliseconds / 1000}::float8)`;
