import { invalid } from '../../core/errors.ts';
import type { Query, Term, Value } from './ast.ts';
import type { Fields } from './fields.ts';
import { plainScalar, requireValue } from './values.ts';

const ANY: Value = { kind: 'comparison', operator: '', scalar: { text: '*', isQuoted: false } };
const TRUE: Value = { kind: 'comparison', operator: '', scalar: { text: 'true', isQuoted: false } };

/**
 * Rewrites `is:replied` as `replied:true` and `has:company` as `company:*`, so that later steps don't have to handle `is:` and `has:`.
 * Throws `invalid_request` for a field that does not support them.
 */
export function withoutSugar(query: Query, fields: Fields): Query {
  switch (query.kind) {
    case 'text':
      return query;
    case 'not':
      return { kind: 'not', operand: withoutSugar(query.operand, fields) };
    case 'term':
      return query.field === 'is' || query.field === 'has' ? expanded(query, query.field, fields) : query;
    default:
      return { kind: query.kind, operands: query.operands.map((operand) => withoutSugar(operand, fields)) };
  }
}

function expanded({ position, values }: Term, sugar: 'is' | 'has', fields: Fields): Query {
  const operands = values.map((value): Term => {
    const field = namedField(sugar, value, fields.sugared(sugar));
    return { kind: 'term', field, position, values: [sugar === 'is' ? TRUE : ANY] };
  });
  const [only, second] = operands;
  return only !== undefined && second === undefined ? only : { kind: 'or', operands };
}

function namedField(sugar: 'is' | 'has', value: Value, names: readonly string[]): string {
  requireValue(sugar, value);
  const word = plainScalar(sugar, value).text;
  const name = word.toLowerCase();
  const field = [name, `cf.${name}`].find((known) => names.includes(known));
  if (field === undefined) throw invalid(`unknown value "${word}" for ${sugar}; use ${names.join(', ')}`);
  return field;
}
