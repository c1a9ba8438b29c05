import type { Query } from './ast.ts';
import { enrolmentRank, RANKS } from './enrolment-fields.ts';
import { isNone } from './values.ts';

/** The enrolment that weaker enrolment fields refer to; null if there is none. */
export type Scope = { alias: string; rank: number } | null;

/** Flattens nested AND groups: `a (b c)` is one group. */
export const flattened = (operands: readonly Query[]): Query[] =>
  operands.flatMap((operand) => (operand.kind === 'and' ? flattened(operand.operands) : [operand]));

/** Operands of an AND group by their relation to enrolments. */
export interface Roles {
  /** Rank of the fields that select the group's enrolments. */
  rank: number;
  /** Operands that each select an enrolment. */
  selecting: Query[];
  /** Operands that every enrolment selected by the group must meet. */
  referring: Query[];
  /** Operands that are not about enrolments. */
  apart: Query[];
}

/** Sorts the operands of an AND group; undefined if none of them selects an enrolment. */
export function rolesOf(operands: readonly Query[], scope: Scope): Roles | undefined {
  const rank = RANKS.find((at) => !isBound(at, scope) && operands.some((operand) => selects(operand, at)));
  if (rank === undefined) return undefined;
  const selecting = operands.filter((operand) => selects(operand, rank));
  const others = operands.filter((operand) => !selects(operand, rank));
  return {
    rank,
    selecting,
    referring: others.filter((operand) => hasWeaker(operand, rank)),
    apart: others.filter((operand) => !hasWeaker(operand, rank)),
  };
}

/** True if a field of this rank refers to the scope's enrolment. */
export const isBound = (rank: number, scope: Scope): scope is NonNullable<Scope> => scope !== null && rank > scope.rank;

/** True for a term that selects an enrolment, or such terms joined by OR. A term that also matches `none` selects nothing. */
function selects(query: Query, rank: number): boolean {
  if (query.kind === 'or') return query.operands.every((operand) => selects(operand, rank));
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
