import type { Query } from './ast.ts';
import { enrolmentRank, RANKS } from './enrolment-fields.ts';
import { isNone } from './values.ts';

/** The enrolment that weaker enrolment fields speak of where they stand; null outside of any. */
export type Scope = { alias: string; rank: number } | null;

/** `a (b c)` is one group. */
export const flattened = (operands: readonly Query[]): Query[] =>
  operands.flatMap((operand) => (operand.kind === 'and' ? flattened(operand.operands) : [operand]));

/** The operands of an AND group by what they have to do with an enrolment. */
export interface Roles {
  /** How strong the fields are that name the group's enrolments. */
  rank: number;
  /** Each of these names an enrolment. */
  naming: Query[];
  /** What has to hold for every enrolment that the group names. */
  speaking: Query[];
  /** What has nothing to do with them. */
  apart: Query[];
}

/** Sorts the operands of an AND group; undefined when none of them names an enrolment. */
export function rolesOf(operands: readonly Query[], scope: Scope): Roles | undefined {
  const rank = RANKS.find((at) => !isBound(at, scope) && operands.some((operand) => names(operand, at)));
  if (rank === undefined) return undefined;
  const naming = operands.filter((operand) => names(operand, rank));
  const others = operands.filter((operand) => !names(operand, rank));
  return {
    rank,
    naming,
    speaking: others.filter((operand) => hasWeaker(operand, rank)),
    apart: others.filter((operand) => !hasWeaker(operand, rank)),
  };
}

/** Whether a field of that rank speaks of the scope's enrolment. */
export const isBound = (rank: number, scope: Scope): scope is NonNullable<Scope> => scope !== null && rank > scope.rank;

/** A term that names an enrolment, or such terms joined by OR. One that also asks for none names nothing. */
function names(query: Query, rank: number): boolean {
  if (query.kind === 'or') return query.operands.every((operand) => names(operand, rank));
  return query.kind === 'term' && enrolmentRank(query.field) === rank && !query.values.some(isNone);
}

function hasWeaker(query: Query, rank: number): boolean {
  switch (query.kind) {
    case 'text':
      return false;
    case 'not':
      return hasWeaker(query.operand, rank);
    case 'term':
      return (enrolmentRank(query.field) ?? rank) > rank;
    default:
      return query.operands.some((operand) => hasWeaker(operand, rank));
  }
}
