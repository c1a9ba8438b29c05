import { raw, type Sql, sql } from '../../db/statement.ts';
import type { Tx } from '../../db/transaction.ts';
import { rescheduleMoved } from './reschedule.ts';

/**
 * Body of a CTE that takes the due time of enrolments whose email a worker claims: nothing is due while it is in flight. Index:
 * enrolments_pkey.
 */
export const takeDue = (ids: readonly number[]): Sql =>
  sql`update enrolments set due_at = null where id = any((select ${ids}::int[])::int[])`;

/** Makes the active ones of the enrolments due at that instant, for their email is no longer in flight. */
export async function makeDue(tx: Tx, ids: readonly number[], dueAt: Date): Promise<void> {
  await tx.query(sql`update enrolments set due_at = ${dueAt} where id = any(${ids}::int[]) and status = 'active'`);
  await rescheduleMoved(tx, ids);
}

/**
 * The same in one statement with what releases them, as its end. Where their step may have been deleted meanwhile, use
 * `makeReleasedDueAgain`.
 * @param released a table expression of that statement with `enrolment_id`, aliased `r` for a RETURNING clause
 */
export const makeReleasedDue = (released: string, dueAt: Date): Sql => sql`
  update enrolments e set due_at = ${dueAt} from ${raw(released)} r where e.id = r.enrolment_id and e.status = 'active'`;

/**
 * Makes the enrolments due at that instant whose emails a statement puts back, or after the wait of the next step where theirs
 * was deleted meanwhile. Returns what the statement returned of them.
 * @param released the statement, which returns `enrolment_id` at least
 */
export async function makeReleasedDueAgain<Row extends { enrolment_id: number }>(tx: Tx, released: Sql, dueAt: Date): Promise<Row[]> {
  const rows = await tx.query<Row>(sql`with released as (${released}) ${makeReleasedDue('released', dueAt)} returning r.*`);
  await rescheduleMoved(
    tx,
    rows.map((row) => row.enrolment_id),
  );
  return rows;
}

/**
 * Lets enrolments wait for their call instead of a time: the body of a common table expression.
 * @param due a table expression of the statement with their `id`
 */
export const waitForCalls = (due: string, now: Date): Sql => sql`
  update enrolments e set due_at = null, updated_at = ${now} from ${raw(due)} d where e.id = d.id`;

/** Makes the contacts due now who were enrolled while a later start was planned and wait for it. Index: enrolments_active. */
export async function releaseFromStart(tx: Tx, campaignId: number, planned: Date, now: Date): Promise<void> {
  await tx.query(sql`
    update enrolments set due_at = ${now}
    where campaign_id = ${campaignId} and status = 'active' and last_sent_step = 0 and due_at = ${planned}`);
}
