import { prepared, raw, type Sql, sql } from '../../db/statement.ts';
import type { Tx } from '../../db/transaction.ts';

/** Cancels the pending calls of enrolments that ended. */
export async function cancelCalls(tx: Tx, enrolmentIds: readonly number[], now: Date): Promise<void> {
  await tx.query(
    prepared(
      'cancel-calls',
      sql`
    update call_tasks set status = 'cancelled', closed_at = ${now} where enrolment_id = any(${enrolmentIds}::int[]) and status = 'pending'`,
    ),
  );
}

/**
 * Body of a common table expression that cancels the pending calls of enrolments in the statement that ends them.
 * @param enrolments a table expression of that statement, with `id` and with `is_over`, which is true for enrolments that end
 */
export const cancelCallsIn = (enrolments: string, now: Date): Sql => sql`
  update call_tasks t set status = 'cancelled', closed_at = ${now}
  from ${raw(enrolments)} r where r.is_over and t.enrolment_id = r.id and t.status = 'pending'`;

/** Body of a common table expression that cancels the pending calls of a deleted step and returns their `enrolment_id`. */
export const cancelCallsOfStep = (stepId: number, now: Date): Sql => sql`
  update call_tasks set status = 'cancelled', closed_at = ${now} where step_id = ${stepId} and status = 'pending' returning enrolment_id`;
