import { raw, type Sql, sql } from '../../db/statement.ts';
import type { Tx } from '../../db/transaction.ts';
import { rescheduleMoved } from './reschedule.ts';

/**
 * Body of a common table expression that clears the due time of enrolments whose email a worker claims, because nothing is due while it is
 * in flight. Index: enrolments_pkey.
 */
export const takeDue = (ids: readonly number[]): Sql =>
  sql`update enrolments set due_at = null where id = any((select ${ids}::int[])::int[])`;

/** Makes active enrolments due at an instant, because their email is no longer in flight. */
export async function makeDue(tx: Tx, ids: readonly number[], dueAt: Date): Promise<void> {
  await tx.query(sql`update enrolments set due_at = ${dueAt} where id = any(${ids}::int[]) and status = 'active'`);
  await rescheduleMoved(tx, ids);
}

/**
 * End of a statement that releases enrolments: makes the active ones due. Use `releaseAndMakeDue` if their step may have been deleted in
 * the meantime.
 * @param released a table expression of that statement with `enrolment_id`, aliased `r` for a RETURNING clause
 */
export const setReleasedDue = (released: string, dueAt: Date): Sql => sql`
  update enrolments e set due_at = ${dueAt} from ${raw(released)} r where e.id = r.enrolment_id and e.status = 'active'`;

/**
 * Runs a statement that releases emails, and makes their enrolments due at `dueAt`, or after the wait of the next step if theirs was
 * deleted in the meantime. Returns the rows of the statement.
 * @param released the statement, which returns at least `enrolment_id`
 */
export async function releaseAndMakeDue<Row extends { enrolment_id: number }>(tx: Tx, released: Sql, dueAt: Date): Promise<Row[]> {
  const rows = await tx.query<Row>(sql`with released as (${released}) ${setReleasedDue('released', dueAt)} returning r.*`);
  await rescheduleMoved(
    tx,
    rows.map((row) => row.enrolment_id),
  );
  return rows;
}

/**
 * Body of a common table expression that lets enrolments wait for their call instead of a time.
 * @param due a table expression of the statement with the `id` of the enrolments
 */
export const waitForCalls = (due: string, now: Date): Sql => sql`
  update enrolments e set due_at = null, updated_at = ${now} from ${raw(due)} d where e.id = d.id`;

/** Makes contacts due now who were waiting for a planned start that was dropped or brought forward. Index: enrolments_active. */
export async function releaseFromStart(tx: Tx, campaignId: number, planned: Date, now: Date): Promise<void> {
  await tx.query(sql`
    update enrolments set due_at = ${now}
    where campaign_id = ${campaignId} and status = 'active' and last_sent_step = 0 and due_at = ${planned}`);
}
