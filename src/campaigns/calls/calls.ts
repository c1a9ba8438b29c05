import { audit, type Caller, type Scope, seenBy } from '../../access/index.ts';
import type { App } from '../../app.ts';
import { listCustomFields } from '../../contacts/index.ts';
import { conflict, invalid, notFound } from '../../core/errors.ts';
import { empty, type Queryable, type Sql, sql } from '../../db/statement.ts';
import { timestamp } from '../../db/timestamp.ts';
import type { Tx } from '../../db/transaction.ts';
import { completeCampaigns } from '../campaign/completion.ts';
import { publishCallChange } from '../campaign/publish.ts';
import { wakeCampaign } from '../campaign/wake.ts';
import { contactValues, type MergeSource, render } from '../content/placeholders.ts';
import { advanceEnrolments } from '../enrolments/advance.ts';
import { type CallStatus, CallTask } from './entities.ts';

/** A call to make: the task of a call step that is due. */
export interface CallRow {
  id: number;
  campaign_id: number;
  campaign_name: string;
  contact_id: number;
  name: string;
  email: string;
  company: string | null;
  step_order: number;
  /** The step's notes for whoever calls, merged for the contact. */
  notes: string;
  status: CallStatus;
  due_at: string;
}

const MAX_NOTE = 2_000;

/** Calls `k` with their campaign `c`, enrolment `e` and contact `t`: those whose campaign and contact are in scope. */
const callsIn = (scope: Scope): Sql => sql`
  call_tasks k join campaigns c on c.id = k.campaign_id and ${scope('campaigns', 'c')}
  join enrolments e on e.id = k.enrolment_id join contacts t on t.id = e.contact_id and ${scope('contacts', 't')}`;

/** Counts the pending calls in scope. Index: call_tasks_pending. */
export async function countPendingCalls(db: Queryable, scope: Scope): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`select count(*)::int as count from ${callsIn(scope)} where k.status = 'pending'`);
  return row?.count ?? 0;
}

/**
 * Lists the calls whose campaign and contact the caller can see, longest due first: pending ones, or with `all` closed ones
 * too. Index: call_tasks_pending.
 */
export async function listCalls(db: Queryable, caller: Caller, options: { all: boolean }): Promise<CallRow[]> {
  const rows = await db.query<CallRow & Pick<MergeSource, 'custom_fields'>>(sql`
    select k.id, k.campaign_id, c.name as campaign_name, e.contact_id, t.name, t.email, t.company, s.step_order, s.body_html as notes,
      k.status, ${timestamp('k.due_at')} as due_at, t.custom_fields
    from ${callsIn(seenBy(caller))} join steps s on s.id = k.step_id
    where k.workspace_id = ${caller.workspaceId}${options.all ? empty : sql` and k.status = 'pending'`}
    order by k.due_at, k.id`);
  const keys = (await listCustomFields(db, caller)).map((field) => field.key);
  return rows.map(({ custom_fields, ...call }) => ({
    ...call,
    notes: render(call.notes, contactValues({ ...call, custom_fields }, keys), { escape: 'none' }).text,
  }));
}

/**
 * Closes a call as done or skipped, and moves the enrolment on to its next step. Throws `not_found`, `conflict` for a call
 * that is already closed, and `invalid_request` for a note that is too long.
 */
export async function closeCall(
  app: App,
  caller: Caller,
  id: number,
  input: { outcome: 'done' | 'skipped'; note: string | null },
): Promise<void> {
  if (input.note !== null && input.note.length > MAX_NOTE) throw invalid(`note: at most ${MAX_NOTE.toLocaleString('en')} characters`);
  const now = app.clock.now();
  await app.db.tx(async (tx) => {
    const { task, stepOrder } = await lockCall(tx, caller, id);
    if (task.status !== 'pending') throw conflict(`call ${id} is already ${task.status}`);
    Object.assign(task, { status: input.outcome, note: input.note, closed_by: caller.userId, closed_at: now });
    await audit(tx, caller, now, {
      action: `call.${input.outcome}`,
      resourceType: 'call',
      resourceId: id,
      changes: { campaign_id: task.campaign_id, note: input.note },
    });
    await publishCallChange(tx, 'task.done', [id], now);
    const completed = { enrolmentId: task.enrolment_id, stepOrder, at: now, sentFrom: null };
    await completeCampaigns(tx, app, await advanceEnrolments(tx, app, [completed]));
    await wakeCampaign(tx, task.campaign_id, now);
  });
}

/**
 * Loads a task to close it, with the current number of its step. Locks its enrolment first, as everything that closes tasks
 * does. Throws `not_found`.
 */
async function lockCall(tx: Tx, caller: Caller, id: number): Promise<{ task: CallTask; stepOrder: number }> {
  const [row] = await tx.query<{ step_order: number }>(sql`
    select s.step_order
    from ${callsIn(seenBy(caller))} join steps s on s.id = k.step_id
    where k.id = ${id} for no key update of e`);
  const task = row === undefined ? null : await tx.em.findOne(CallTask, { id }, { refresh: true });
  if (row === undefined || task === null) throw notFound('call');
  return { task, stepOrder: row.step_order };
}
