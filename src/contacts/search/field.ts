import type { Caller } from '../../access/index.ts';
import type { App } from '../../app.ts';
import { invalid } from '../../core/errors.ts';
import { join, raw, type Sql, sql } from '../../db/statement.ts';
import type { CustomFieldRow } from '../custom-fields.ts';
import type { Value } from './ast.ts';
import type { CampaignSearch } from './campaign-search.ts';
import { integerIn, integersOf } from './numbers.ts';
import { type Pattern, patternOf, textLike } from './patterns.ts';
import { ALWAYS, type Span, spanOf } from './spans.ts';
import { plainScalar } from './values.ts';

/** Everything besides its text that the meaning of a query depends on: caller, time and custom fields. */
export interface SearchContext {
  app: App;
  caller: Caller;
  now: Date;
  customFields: readonly CustomFieldRow[];
  campaigns: CampaignSearch;
  /** Condition: the contact's next email is due within the span. */
  nextSend: (span: Span) => Sql;
}

/**
 * A field of the search language. Its conditions apply to the contact `c` (those of enrolment fields to an enrolment) and
 * are true or false, never null, so that they can be negated. Several conditions are alternatives; they are returned
 * separately because PostgreSQL can use an index for each of them, but not for all joined by OR.
 */
export interface Field {
  name: string;
  /** Conditions for `field:*`: there is a value. */
  any: Sql[];
  /** Conditions for one value. Throws `invalid_request` for a value that does not fit the field. */
  match(value: Value): Sql[];
  /** True if the values are in other tables. */
  isElsewhere?: boolean;
  /** Support for `is:`, which takes boolean fields, and `has:`, which takes fields that can be empty. */
  sugar?: { is?: boolean; has?: boolean };
}

/** Parts of a field that override the defaults of its kind. */
type Part = Partial<Pick<Field, 'any' | 'isElsewhere' | 'sugar'>>;

/** Wraps a condition on a column of another table into one on the contact. */
type Where = (condition: Sql, pattern?: Pattern) => Sql;

const asItIs: Where = (condition) => condition;

export const integerField = (name: string, column: Sql, where: Where = asItIs, part: Part = {}): Field => ({
  name,
  any: [where(sql`true`)],
  match: (value) => [where(integerIn(column, integersOf(name, value)))],
  ...part,
});

/** Field whose text is compared as a whole, with `*` allowed at either end. @param column must not be null */
export const wholeTextField = (name: string, column: Sql, where: Where = asItIs, part: Part = {}): Field => ({
  name,
  any: [where(sql`true`)],
  match(value) {
    const pattern = patternOf(name, value, true);
    return [where(textLike(column, pattern), pattern)];
  },
  ...part,
});

/** Field whose text is searched for a substring. @param column must not be null */
export const textField = (name: string, column: Sql, where: Where = asItIs, part: Part = {}): Field => ({
  name,
  any: [sql`${column} <> ''`],
  match(value) {
    const pattern = patternOf(name, value, false);
    return [where(textLike(column, pattern), pattern)];
  },
  ...part,
});

/** Field that is a date. @param where returns the conditions that it lies in the span */
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

/** Reads one of a few words. Throws `invalid_request` with a list of them. */
export function wordOf(field: string, value: Value, words: readonly string[]): string {
  const scalar = plainScalar(field, value);
  const word = words.find((known) => known === scalar.text.toLowerCase());
  if (word === undefined) throw invalid(`unknown ${field} "${scalar.text}"; use ${words.join(', ')}`);
  return word;
}

/** Condition: the instant lies in the span. */
export function instantIn(column: string, { from, to }: Span): Sql {
  const ends: Sql[] = [];
  if (from !== null) ends.push(sql`${raw(column)} >= ${instant(from)}`);
  if (to !== null) ends.push(sql`${raw(column)} < ${instant(to)}`);
  return ends.length === 0 ? sql`${raw(column)} is not null` : sql`(${join(ends, ' and ')})`;
}

/** Not passed as a Date: the driver formats those with the local offset, which includes seconds for old dates. */
export const instant = (milliseconds: number): Sql => sql`to_timestamp(${milliseconds / 1000}::float8)`;
