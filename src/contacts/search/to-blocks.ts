import { empty, join, type Sql, sql } from '../../db/statement.ts';
import { bitsOf, seenBlocks } from '../blocks.ts';
import type { Query, Term, Value } from './ast.ts';
import { EVENT_FIELDS, type EventField } from './campaign-search.ts';
import { instant, instantIn, readBoolean, type SearchContext } from './field.ts';
import { ALWAYS, type Span, spanOf } from './spans.ts';
import { isAny, isNone } from './values.ts';

/**
 * Compiles a query without sugar that only asks whether events happened and when contacts were created, such as `sent:true opened:false
 * created:>30d`, to a statement on sets of contacts that selects `block` and `contacts` of those found. Undefined for any other query. The
 * query must have been checked.
 */
export function toBlocks(query: Query, { caller, campaigns, now }: SearchContext): Sql | undefined {
  const named = new Set<EventField>();
  const found = bits(query, now, named);
  if (found === undefined) return undefined;
  const events =
    named.size === 0
      ? empty
      : sql` union all select what, block, contacts, null, null from (${campaigns.eventBlocks(caller, [...named])}) happened`;
  return sql`
    select block, ${bitsOf('live')} & ${found} as contacts from (${seenBlocks(caller)}${events}) sets group by block`;
}

/** The bits of the contacts that a query matches; adds the events in it to `named`. */
function bits(query: Query, now: Date, named: Set<EventField>): Sql | undefined {
  switch (query.kind) {
    case 'text':
      return undefined;
    case 'not':
      return negation(bits(query.operand, now, named));
    case 'term':
      return bitsOfTerm(query, now, named);
    default:
      return joined(
        query.operands.map((operand) => bits(operand, now, named)),
        query.kind === 'and' ? ' & ' : ' | ',
      );
  }
}

function bitsOfTerm({ field: written, values }: Term, now: Date, named: Set<EventField>): Sql | undefined {
  if (written === 'created')
    return joined(
      values.map((value) => bitsOfCreated(value, now)),
      ' | ',
    );
  const field = EVENT_FIELDS.find((name) => name === written);
  if (field === undefined) return undefined;
  named.add(field);
  return joined(
    values.map((value) => {
      const scalar = value.kind === 'comparison' && (value.operator === '' || value.operator === '=') ? value.scalar : undefined;
      const happened = isAny(value) ? true : isNone(value) ? false : readBoolean(scalar?.text ?? '');
      if (happened === undefined) return undefined;
      return happened ? bitsOf(field) : negation(bitsOf(field));
    }),
    ' | ',
  );
}

const NOBODY = sql`B'0'::bit(1024)`;

function bitsOfCreated(value: Value, now: Date): Sql {
  if (isNone(value)) return NOBODY;
  return createdIn(isAny(value) ? ALWAYS : spanOf('created', value, now));
}

/**
 * The bits of contacts that were created in a span, at least of all whom the caller can see: of a block that lies only partly in it they
 * are looked up. Index: contacts_pkey.
 */
function createdIn(span: Span): Sql {
  const from = span.from === null ? sql`'-infinity'` : instant(span.from);
  const to = span.to === null ? sql`'infinity'` : instant(span.to);
  return sql`case
    when min(created_from) >= ${from} and max(created_to) < ${to} then ~${NOBODY}
    when min(created_from) < ${to} and max(created_to) >= ${from} then (
      select coalesce(bit_or(contact_bit(c.id)), ${NOBODY}) from contacts c
      where c.id between block * 1024 and block * 1024 + 1023 and ${instantIn('c.created_at', span)})
    else ${NOBODY} end`;
}

const negation = (operand: Sql | undefined) => operand && sql`(~ ${operand})`;

function joined(operands: (Sql | undefined)[], separator: ' & ' | ' | '): Sql | undefined {
  const known = operands.filter((operand) => operand !== undefined);
  return known.length < operands.length ? undefined : sql`(${join(known, separator)})`;
}
