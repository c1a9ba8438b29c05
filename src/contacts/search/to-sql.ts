import { invalid } from '../../core/errors.ts';
import { join, type Sql, sql } from '../../db/statement.ts';
import { contactMatches } from '../read-contact.ts';
import type { Query, Scalar, Term } from './ast.ts';
import { enrolmentFields, enrolmentRank } from './enrolment-fields.ts';
import type { Field, SearchContext } from './field.ts';
import type { Fields } from './fields.ts';
import { textLike, wildcards } from './patterns.ts';
import { flattened, isBound, rolesOf, type Scope } from './scope.ts';
import { isAny, isNone, requireValue } from './values.ts';

/** Limit on subqueries: terms on enrolments are repeated for each campaign in their group, so nesting multiplies them. */
const MAX_ENROLMENTS = 200;
/** Limit above which alternatives are joined by OR instead of being queried separately. */
const MAX_ALTERNATIVES = 10;

/**
 * Compiles a query without sugar to alternative conditions on the contact `c`, each true or false, never null. Returns several if a single
 * one could not use an index, see `findContacts`. The conditions do not check the contact's visibility. Throws `invalid_request` for
 * unknown fields and for values that do not fit.
 */
export function toSql(query: Query, context: SearchContext, fields: Fields): Sql[] {
  const alternatives = new Compiler(context, fields).alternatives(query, null);
  return reachesElsewhere(query, fields) && alternatives.length <= MAX_ALTERNATIVES ? alternatives : [anyOf(alternatives)];
}

/** True if the query has a field whose values are outside the contacts table. */
function reachesElsewhere(query: Query, fields: Fields): boolean {
  switch (query.kind) {
    case 'text':
      return false;
    case 'not':
      return reachesElsewhere(query.operand, fields);
    case 'term':
      return fields.require(query.field, query.position).isElsewhere === true;
    default:
      return query.operands.some((operand) => reachesElsewhere(operand, fields));
  }
}

class Compiler {
  readonly #context: SearchContext;
  readonly #fields: Fields;
  #enrolments = 0;

  constructor(context: SearchContext, fields: Fields) {
    this.#context = context;
    this.#fields = fields;
  }

  /** Alternative conditions of an OR group or of a term. */
  alternatives(query: Query, scope: Scope): Sql[] {
    if (query.kind === 'or') return query.operands.flatMap((operand) => this.alternatives(operand, scope));
    return query.kind === 'term' ? this.#term(query, scope) : [this.#condition(query, scope)];
  }

  #condition(query: Query, scope: Scope): Sql {
    switch (query.kind) {
      case 'text':
        return textCondition(query.scalar);
      case 'not':
        return this.#negated(query.operand, scope);
      case 'and':
        return allOf(this.#conjuncts(query.operands, scope));
      default:
        return anyOf(this.alternatives(query, scope));
    }
  }

  /** Moves negation inwards, so that `not exists` is a condition by itself and can be planned as an anti-join. */
  #negated(query: Query, scope: Scope): Sql {
    switch (query.kind) {
      case 'text':
        return negation(textCondition(query.scalar));
      case 'not':
        return this.#condition(query.operand, scope);
      case 'and':
        return anyOf(this.#conjuncts(query.operands, scope).map(negation));
      default:
        return allOf(this.alternatives(query, scope).map(negation));
    }
  }

  /** Conditions joined by AND. An operand that selects an enrolment includes those that refer to one in its condition. */
  #conjuncts(written: readonly Query[], scope: Scope): Sql[] {
    const operands = flattened(written);
    const roles = rolesOf(operands, scope);
    if (roles === undefined) return operands.map((operand) => this.#condition(operand, scope));
    const { rank, selecting, referring, apart } = roles;
    const selected = selecting.map((query) =>
      this.#exists((alias) => {
        return [anyOf(this.#selecting(query, alias)), ...referring.map((operand) => this.#condition(operand, { alias, rank }))];
      }),
    );
    return [...selected, ...apart.map((operand) => this.#condition(operand, scope))];
  }

  /** Alternative conditions on an enrolment for an operand that selects it. */
  #selecting(query: Query, alias: string): Sql[] {
    if (query.kind === 'or') return query.operands.flatMap((operand) => this.#selecting(operand, alias));
    return query.kind === 'term' ? valuesOf(query, this.#enrolmentField(query, alias)) : [];
  }

  #term(term: Term, scope: Scope): Sql[] {
    const field = this.#fields.require(term.field, term.position);
    const rank = enrolmentRank(term.field);
    if (rank === undefined) return valuesOf(term, field);
    if (isBound(rank, scope)) return valuesOf(term, this.#enrolmentField(term, scope.alias));
    const wanted = { ...term, values: term.values.filter((value) => !isNone(value)) };
    const alternatives = wanted.values.length === 0 ? [] : [this.#exists((alias) => [anyOf(this.#selecting(wanted, alias))])];
    const asksForNone = wanted.values.length < term.values.length;
    return asksForNone ? [...alternatives, negation(this.#exists(() => [sql`true`]))] : alternatives;
  }

  #enrolmentField(term: Term, alias: string): Field {
    const field = enrolmentFields(this.#context, alias).find(({ name }) => name === term.field);
    return field ?? this.#fields.require(term.field, term.position);
  }

  #exists(conditions: (alias: string) => Sql[]): Sql {
    if (++this.#enrolments > MAX_ENROLMENTS) throw invalid('query nests too many campaign, status and step terms');
    const alias = `e${this.#enrolments}`;
    const { caller, campaigns } = this.#context;
    return campaigns.hasEnrolment(caller, alias, allOf(conditions(alias)));
  }
}

/** Alternative conditions that the field has one of the values. */
function valuesOf({ field: written, values }: Term, field: Field): Sql[] {
  return values.flatMap((value) => {
    requireValue(written, value);
    if (isAny(value)) return field.any;
    return isNone(value) ? [allOf(field.any.map(negation))] : field.match(value);
  });
}

/** Text without a field matches like `q` of the contact list; a `*` at either end anchors the other end. */
function textCondition(scalar: Scalar): Sql {
  const pattern = wildcards(scalar);
  if (pattern === undefined) return sql`(${contactMatches('c', scalar.text)})`;
  return anyOf([sql`c.name`, sql`c.email`, sql`coalesce(c.company, '')`].map((column) => textLike(column, pattern)));
}

const negation = (condition: Sql): Sql => sql`not (${condition})`;
const allOf = (conditions: Sql[]): Sql => joined(conditions, ' and ');
const anyOf = (conditions: Sql[]): Sql => joined(conditions, ' or ');

function joined(conditions: Sql[], separator: ' and ' | ' or '): Sql {
  const [only, second] = conditions;
  if (only === undefined) return sql`true`;
  return second === undefined ? only : sql`(${join(conditions, separator)})`;
}
