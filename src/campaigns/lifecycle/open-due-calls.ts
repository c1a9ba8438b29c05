import type { App } from '../../app.ts';
import { sql } from '../../db/statement.ts';
import type { Tx } from '../../db/transaction.ts';
import { openCalls } from '../calls/open-calls.ts';
import { publishCallChange } from '../calls/publish.ts';
import { waitForCalls } from '../enrolments/due.ts';
import { hasStarted, isRunning } from '../states/campaign.ts';
import { isDue } from '../states/enrolment.ts';
import { isLiveStep } from '../states/step.ts';

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
      join steps s on s.campaign_id = c.id and ${isLiveStep('s', 'call')}
      join enrolments e on e.campaign_id = c.id and e.current_step = s.step_order and ${isDue('e', now)} and e.last_sent_step > 0
      where ${isRunning('c')} and ${hasStarted('c', now)}
      limit ${BATCH} for no key update of e skip locked
    ), waiting as (${waitForCalls('due', now)})
    ${openCalls('due', now)}`);
  await publishCallChange(
    tx,
    'task.due',
    rows.map((row) => row.id),
    now,
  );
  return rows.length;
}
