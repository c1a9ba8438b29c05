import type { App } from '../../app.ts';
import { sql } from '../../db/statement.ts';
import type { Tx } from '../../db/transaction.ts';
import { publishCallChange } from '../campaign/publish.ts';

const BATCH = 500;

/**
 * Opens a task for every call step that is due in an active campaign. The enrolment then waits for its task (its `due_at`
 * is null). A task that was cancelled when the enrolment ended is reopened. Several daemons may run this at once.
 * @returns the number of tasks opened
 */
export async function openDueCalls(app: App): Promise<number> {
  for (let opened = 0; ; ) {
    const batch = await app.db.tx((tx) => openBatch(tx, app.clock.now()));
    opened += batch;
    if (batch < BATCH) return opened;
  }
}

/**
 * Opens up to `BATCH` tasks. A call is never step 1, so the many contacts who wait for their first email need not be read.
 * Indexes: campaigns_active, steps_live_order, enrolments_due.
 */
async function openBatch(tx: Tx, now: Date): Promise<number> {
  const rows = await tx.query<{ id: number }>(sql`
    with due as (
      select e.id, e.workspace_id, e.campaign_id, e.due_at, s.id as step_id
      from campaigns c
      join steps s on s.campaign_id = c.id and s.kind = 'call' and s.deleted_at is null
      join enrolments e on e.campaign_id = c.id and e.current_step = s.step_order and e.status = 'active' and e.due_at <= ${now}
        and e.last_sent_step > 0
      where c.status = 'active' and c.deleted_at is null and not c.is_archived and (c.starts_at is null or c.starts_at <= ${now})
        and (e.held_until is null or e.held_until <= ${now})
      limit ${BATCH} for no key update of e skip locked
    ), waiting as (
      update enrolments e set due_at = null, updated_at = ${now} from due d where e.id = d.id
    )
    insert into call_tasks as t (workspace_id, campaign_id, enrolment_id, step_id, due_at, created_at)
    select d.workspace_id, d.campaign_id, d.id, d.step_id, d.due_at, ${now}::timestamptz from due d
    on conflict (enrolment_id, step_id) do update
      set status = 'pending', due_at = excluded.due_at, closed_by = null, closed_at = null where t.status = 'cancelled'
    returning t.id`);
  await publishCallChange(
    tx,
    'task.due',
    rows.map((row) => row.id),
    now,
  );
  return rows.length;
}
