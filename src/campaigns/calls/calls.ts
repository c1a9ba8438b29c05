import { audit, type Caller } from '../../access/index.ts';
import { listCustomFields } from '../../contacts/index.ts';
import { notFound } from '../../core/errors.ts';
import { listPage, type Page, type PageRequest } from '../../db/page.ts';
import { empty, type Queryable, sql } from '../../db/statement.ts';
import { timestamp } from '../../db/timestamp.ts';
import type { Tx } from '../../db/transaction.ts';
import { contactValues, type MergeSource } from '../content/merge-values.ts';
import { notesOptions, render } from '../content/render.ts';
import type { CallStatus } from '../states/call.ts';
import { callsOf, isToMake } from './calls-to-make.ts';
import { publishCallChange } from './publish.ts';

/** A call: the task that is created when a call step is due for a contact. */
export interface CallRow {
  id: number;
  campaign_id: number;
  campaign_name: string;
  contact_id: number;
  name: string;
  email: string;
  company: string | null;
  /** Value of the contact's first non-empty custom field of type phone; null if there is none. */
  phone: string | null;
  step_order: number;
  /** The step's notes for the person who makes the call, merged with the contact's values. */
  notes: string;
  status: CallStatus;
  /** Note of the user who closed the call. */
  note: string | null;
  due_at: string;
}

/**
 * Lists calls whose campaign and contact the caller can see, longest due first. Lists only pending calls of running campaigns; with `all`,
 * also closed calls and calls of paused campaigns. Index: call_tasks_pending.
 */
export async function listCalls(db: Queryable, caller: Caller, options: { all: boolean }, page: PageRequest): Promise<Page<CallRow>> {
  const condition = sql`k.workspace_id = ${caller.workspaceId}${options.all ? empty : sql` and ${isToMake}`}`;
  const rows = sql`
    select k.id, k.campaign_id, c.name as campaign_name, e.contact_id, t.name, t.email, t.company, s.step_order, s.body_html as notes,
      k.status, k.note, ${timestamp('k.due_at')} as due_at, t.custom_fields, c.spintax
    from ${callsOf(caller)} join steps s on s.id = k.step_id
    where ${condition} order by k.due_at, k.id`;
  const total = sql`select count(*)::int as total from ${callsOf(caller)} where ${condition}`;
  const { data, pagination } = await listPage<CallRow & Pick<MergeSource, 'custom_fields'> & { spintax: boolean }>(db, rows, total, page);
  const fields = await listCustomFields(db, caller);
  const keys = fields.map((field) => field.key);
  const phones = fields.filter(({ field_type }) => field_type === 'phone').map((field) => field.key);
  const merged = data.map(({ custom_fields, spintax, ...call }) => ({
    ...call,
    phone: phones.map((key) => custom_fields[key]).find((value) => value !== undefined && value !== '') ?? null,
    notes: render(call.notes, contactValues({ ...call, custom_fields }, keys), notesOptions(call.contact_id, call.step_order, spintax))
      .text,
  }));
  return { data: merged, pagination };
}

/** Throws `not_found` unless the caller can see the call. Index: call_tasks_pkey. */
export async function requireCall(db: Queryable, caller: Caller, id: number): Promise<void> {
  const found = await db.query(sql`select 1 from ${callsOf(caller)} where k.id = ${id}`);
  if (found.length === 0) throw notFound('call');
}

/** A call, read under its row lock. */
export interface LockedCall {
  id: number;
  status: CallStatus;
  campaign_id: number;
  enrolment_id: number;
  /** The current number of its step. */
  step_order: number;
}

/** Locks a call so that it can be closed. Locks its enrolment first, as all code that closes calls does. Throws `not_found`. */
export async function lockCall(tx: Tx, caller: Caller, id: number): Promise<LockedCall> {
  const [call] = await tx.query<LockedCall>(sql`
    select k.id, k.status, k.campaign_id, k.enrolment_id, s.step_order
    from ${callsOf(caller)} join steps s on s.id = k.step_id
    where k.id = ${id} for no key update of e, k`);
  if (call === undefined) throw notFound('call');
  return call;
}

/** Closes a locked call in the caller's transaction, with its audit entry and its webhook deliveries. */
export async function recordOutcome(
  tx: Tx,
  caller: Caller,
  { id, campaign_id }: LockedCall,
  { outcome, note }: { outcome: 'done' | 'skipped'; note: string | null },
  now: Date,
): Promise<void> {
  await tx.query(sql`
    update call_tasks set status = ${outcome}, note = ${note}, closed_by = ${caller.userId}, closed_at = ${now} where id = ${id}`);
  await audit(tx, caller, now, { action: `call.${outcome}`, resourceType: 'call', resourceId: id, changes: { campaign_id, note } });
  await publishCallChange(tx, 'task.done', [id], now);
}
