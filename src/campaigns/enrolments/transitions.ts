import type { Caller } from '../../access/index.ts';
import type { App } from '../../app.ts';
import { prepared, sql } from '../../db/statement.ts';
import type { Tx } from '../../db/transaction.ts';
import { cancelCalls } from '../calls/cancel-calls.ts';
import { completeCampaigns } from '../campaign/completion.ts';
import { type EndStatus, type EnrolmentStatus, enrolmentIs } from '../states/enrolment.ts';
import { auditEnrolments } from './audit-enrolments.ts';
import type { Precedence } from './precedence.ts';
import { snapshotOf } from './snapshot.ts';

/**
 * Statuses from which each end can be reached. A reply or a hard bounce often arrives after the last email, so it also
 * changes a completed enrolment; a person's reply proves that a bounced address works. An enrolment that was replied to or
 * stopped stays so: later messages are only logged.
 */
const ENDS_FROM: Record<EndStatus, readonly EnrolmentStatus[]> = {
  replied: ['active', 'completed', 'bounced'],
  stopped: ['active'],
  bounced: ['active', 'completed'],
  completed: ['active'],
};

/** The end of an enrolment. */
export interface End {
  status: EndStatus;
  reason?: string;
  /**
   * Set if a message causes the end: then it also ends enrolments that weaker messages of the same poll have ended, as if they were active.
   */
  precedence?: Precedence;
}

interface EndedRow {
  id: number;
  workspace_id: number;
  campaign_id: number;
  contact_id: number;
  was_active: boolean;
}

/**
 * Ends those of the enrolments whose status allows it, cancels their pending calls, and completes campaigns that are then finished. A hold
 * for a reply stays on record, for campaigns that enrol the contact before it ends. Ends made by a user or the operator are audited, one
 * entry for each enrolment. The caller logs the event.
 * @returns the ids of the ended enrolments
 */
export async function endEnrolments(tx: Tx, app: App, caller: Caller, ids: readonly number[], to: End): Promise<number[]> {
  if (ids.length === 0) return [];
  const now = app.clock.now();
  // Locked in id order first, so that two transactions ending the same enrolments can't deadlock.
  const { ends, strength, replyId = null } = to.precedence ?? {};
  const weaker = ends === undefined || strength === undefined ? [] : ends.weakerThan(strength);
  const isReplaced = sql`(e.id = any(${weaker}::int[]) and e.updated_at >= ${ends?.since ?? null}::timestamptz)`;
  const ended = await tx.query<EndedRow>(
    prepared(
      'end-enrolments',
      sql`
    with able as (
      select e.id, ${enrolmentIs('e', 'active')} or ${isReplaced} as was_active,
        case when ${replyId}::int is not null then ${snapshotOf('e')} end as snapshot
      from enrolments e where e.id = any(${ids}::int[]) and (e.status = any(${ENDS_FROM[to.status]}::text[]) or ${isReplaced})
      order by e.id for no key update
    )
    update enrolments e set status = ${to.status}, stop_reason = ${to.reason ?? null}, due_at = null, hold_kind = null,
      held_until = case when e.held_by is not null then e.held_until end, hold_reason = case when e.held_by is not null then e.hold_reason end,
      content_fault = null, content_version = null, updated_at = ${now},
      ended_by = ${replyId}, before_end = a.snapshot
    from able a where e.id = a.id returning e.id, e.workspace_id, e.campaign_id, e.contact_id, a.was_active`,
    ),
  );
  if (ended.length === 0) return [];
  const endedIds = ended.map((row) => row.id);
  if (strength !== undefined)
    ends?.noteEnded(
      ended.filter((row) => row.was_active).map((row) => row.id),
      strength,
    );
  await cancelCalls(tx, endedIds, now);
  if (caller.actor === 'user' || caller.actor === 'cli')
    await auditEnrolments(tx, caller, now, 'enrolment.end', ended, { status: to.status, reason: to.reason ?? null });
  await completeCampaigns(
    tx,
    app,
    ended.map((row) => row.campaign_id),
  );
  return endedIds;
}
