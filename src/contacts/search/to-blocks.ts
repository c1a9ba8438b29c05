import { join, type Sql, sql } from '../../db/statement.ts';
import { bitsOf, seenBlocks } from '../blocks.ts';
import type { Query, Term } from './ast.ts';
import { EVENT_FIELDS, type EventField } from './campaign-search.ts';
import { readBoolean, type SearchContext } from './field.ts';
import { isAny, isNone } from './values.ts';

/**
 * Compiles a query without sugar that only asks whether events happened, such as `sent:true opened:false`, to a statement on sets of
 * contacts that selects `block` and `contacts` of those found. Undefined for any other query. The query must have been checked.
 */
export function toBlocks(query: Query, { caller, campaigns }: SearchContext): Sql | undefined {
  const named = new Set<EventField>();
  const found = bits(query, named);
  if (found === undefined) return undefined;
  return sql`
    select block, ${bitsOf('live')} & ${found} as contacts
    from (${seenBlocks(caller)} union all ${campaigns.eventBlocks(caller, [...named])}) sets group by block`;
}

/** The bits of the contacts that a query matches; adds the fields in it to `named`. */
function bits(query: Query, named: Set<EventField>): Sql | undefined {
  switch (query.kind) {
    case 'text':
      return undefined;
    case 'not':
      return negation(bits(query.operand, named));
    case 'term':
      return bitsOfTerm(query, named);
    default:
      return joined(
        query.operands.map((operand) => bits(operand, named)),
        query.kind === 'and' ? ' & ' : ' | ',
      );
  }
}

function bitsOfTerm(term: Term, named: Set<EventField>): Sql | undefined {
  const field = EVENT_FIELDS.find((name) => name === term.field);
  if (field === undefined) return undefined;
  named.add(field);
  return joined(
    term.values.map((value) => {
      const scalar = value.kind === 'comparison' && (value.operator === '' || value.operator === '=') ? value.scalar : undefined;
      const happened = isAny(value) ? true : isNone(value) ? false : readBoolean(scalar?.text ?? '');
      if (happened === undefined) return undefined;
      return happened ? bitsOf(field) : negation(bitsOf(field));
    }),
    ' | ',
  );
}

const negation = (operand: Sql | undefined) => operand && sql`(~ ${operand})`;

function joined(operands: (Sql | undefined)[], separator: ' & ' | ' | '): Sql | undefined {
  const known = operands.filter((operand) => operand !== undefined);
  return known.length < operands.length ? undefined : sql`(${join(known, separator)})`;
}
