import { raw, type Sql, sql } from '../db/statement.ts';

/** Condition: two events of one enrolment are about the same email, by its step, or without a step by its order. */
export function isSameEmail(one: string, other: string): Sql {
  const [a, b] = [raw(one), raw(other)];
  return sql`(${a}.step_id = ${b}.step_id or (${a}.step_id is null and ${b}.step_id is null and ${a}.step_order = ${b}.step_order))`;
}
