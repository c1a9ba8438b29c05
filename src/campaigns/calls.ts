import { audit, type Caller, visible } from '../access/index.ts';
import type { App } from '../app.ts';
import { empty, type Queryable, sql } from '../db.ts';
import { conflict, invalid, notFound } from '../errors.ts';
import { timestamp } from '../wire.ts';
import { advanceEnrolments } from './advance.ts';

/** A call that somebody should make: the task of a call step that fell due. */
export interface CallRow {
  id: number;
  campaign_id: number;
  campaign_name: string;
  contact_id: number;
  name: string;
  email: string;
  company: string | null;
  step_order: number;
  /** The caller's notes of the step. */
  notes: string;
  status: string;
  due_at: string;
}

/** Calls of campaigns that the caller can see, longest due first; pending ones unless `all`. Index: call_tasks_pending. */
export function listCalls(db: Queryable, caller: Caller, options: { all: boolean }): Promise<CallRow[]> {
  return db.query<CallRow>(sql`
    select k.id, k.campaign_id, c.name as campaign_name, e.contact_id, t.name, t.email, t.company, s.step_order, s.body_html as notes,
      k.status, ${timestamp('k.due_at')} as due_at
    from call_tasks k join campaigns c on c.id = k.campaign_id and ${visible(caller, 'campaigns', 'c')}
    join enrolments e on e.id = k.enrolment_id join contacts t on t.id = e.contact_id join steps s on s.id = k.step_id
    where k.workspace_id = ${caller.workspaceId}${options.all ? empty : sql` and k.status = 'pending'`}
    order by k.due_at, k.id`);
}

/** A call was made or shall not be: the enrolment goes on with its next step. Throws `conflict` for a task that is closed. */
export async function closeCall(
  app: App,
  caller: Caller,
  id: number,
  input: { outcome: 'done' | 'skipped'; note: string | null },
): Promise<void> {
  if (input.note !== null && input.note.length > 2_000) throw invalid('note: at most 2,000 characters');
  const now = app.clock.now();
  await app.db.tx(async (tx) => {
    const [task] = await tx.query<{ status: string; enrolment_id: number; campaign_id: number; step_order: number }>(sql`
      select k.status, k.enrolment_id, k.campaign_id, s.step_order
      from call_tasks k join campaigns c on c.id = k.campaign_id and ${visible(caller, 'campaigns', 'c')} join steps s on s.id = k.step_id
      where k.id = ${id} for no key update of k`);
    if (task === undefined) throw notFound('call');
    if (task.status !== 'pending') throw conflict(`call ${id} is ${task.status} already`);
    await tx.query(sql`
      update call_tasks set status = ${input.outcome}, note = ${input.note}, closed_by = ${caller.userId}, closed_at = ${now} where id = ${id}`);
    await audit(tx, caller, now, {
      action: `call.${input.outcome}`,
      resourceType: 'call',
      resourceId: id,
      changes: { campaign_id: task.campaign_id, note: input.note },
    });
    await advanceEnrolments(tx, app, [{ enrolmentId: task.enrolment_id, doneStepOrder: task.step_order, at: now, isMail: false }]);
  });
}
