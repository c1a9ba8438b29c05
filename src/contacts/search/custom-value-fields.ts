import { DAY } from '../../core/clock.ts';
import { join, type Sql, sql } from '../../db/statement.ts';
import type { CustomFieldRow } from '../custom-fields.ts';
import { booleanOf, dateField, type Field, instant, type SearchContext, textField } from './field.ts';
import { numericCondition, ofForm } from './numbers.ts';
import type { Span } from './spans.ts';

const YEAR = '(000[1-9]|00[1-9][0-9]|0[1-9][0-9]{2}|[1-9][0-9]{3})';
const LEAP_YEAR = '((0[48]|[2468][048]|[13579][26])00|[0-9]{2}(0[48]|[2468][048]|[13579][26]))';
const REAL_DAY = [
  `${YEAR}-(0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])`,
  `${YEAR}-(0[469]|11)-(0[1-9]|[12][0-9]|30)`,
  `${YEAR}-02-(0[1-9]|1[0-9]|2[0-8])`,
  `${LEAP_YEAR}-02-29`,
].join('|');

/** Text that PostgreSQL can cast to timestamptz; it accepts only offsets below 16 hours. */
const REAL_INSTANT = `^(${REAL_DAY})[Tt]([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]([.][0-9]{1,9})?([Zz]|[+-](0[0-9]|1[0-5]):[0-5][0-9])$`;
const DAY_ALONE = `^(${REAL_DAY})$`;

/**
 * Fields `cf.<key>` for the workspace's custom fields. Values are stored as text and compared by their field's type. A value that does not
 * fit its type never matches and never raises an error. Not indexed: every contact is scanned.
 */
export const customValueFields = (context: SearchContext): Field[] => context.customFields.map((field) => fieldOf(context, field));

function fieldOf(context: SearchContext, { key, field_type: type }: CustomFieldRow): Field {
  const name = `cf.${key}`;
  const text = sql`coalesce(c.custom_fields ->> ${key}, '')`;
  const part = { any: [sql`${text} <> ''`], sugar: { has: true, is: type === 'boolean' } };
  switch (type) {
    case 'number':
      return { name, match: (value) => [numericCondition(name, text, value)], ...part };
    case 'boolean':
      return { name, match: (value) => [sql`${text} = ${String(booleanOf(name, value))}`], ...part };
    case 'date':
      return dateField(name, context, (span) => [dayIn(text, span)], part);
    case 'datetime':
      return dateField(name, context, (span) => [instantTextIn(text, span)], part);
    default:
      return textField(name, text, undefined, part);
  }
}

/** A stored date counts as its midnight in UTC. */
const dayIn = (text: Sql, span: Span): Sql => sql`(${textBetween(text, span)} and ${text} ~ ${DAY_ALONE})`;

/**
 * Compares the text first, because casting to timestamptz takes ten times as long. The local date in the text is at most a day from the
 * date in UTC.
 */
function instantTextIn(text: Sql, { from, to }: Span): Sql {
  const ends: Sql[] = [];
  if (from !== null) ends.push(sql`(${text})::timestamptz >= ${instant(from)}`);
  if (to !== null) ends.push(sql`(${text})::timestamptz < ${instant(to)}`);
  const roughly = { from: from === null ? null : from - 2 * DAY, to: to === null ? null : to + 2 * DAY };
  return sql`(${textBetween(text, roughly)} and ${ofForm(text, REAL_INSTANT, ends)})`;
}

/** Text that begins with a date sorts chronologically. */
function textBetween(text: Sql, { from, to }: Span): Sql {
  const ends = [sql`${text} <> ''`];
  if (from !== null) ends.push(sql`${text} collate "C" >= ${dayFrom(from)}`);
  if (to !== null) ends.push(sql`${text} collate "C" < ${dayFrom(to)}`);
  return join(ends, ' and ');
}

/** The first day that begins at or after the instant; `:`, which sorts after every digit, for days after the year 9999. */
function dayFrom(milliseconds: number): string {
  const day = new Date(Math.ceil(milliseconds / DAY) * DAY).toISOString();
  if (day.startsWith('-')) return '';
  return day.startsWith('+') ? ':' : day.slice(0, 10);
}
