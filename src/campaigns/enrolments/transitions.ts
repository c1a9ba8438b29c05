import { audit, type Caller } from '../../access/index.ts';
import type { App } from '../../app.ts';
import { prepared, sql, type Tx } from '../../db/database.ts';
import { completeCampaigns } from '../campaign/completion.ts';

export const ENROLMENT_STATUSES = ['active', 'replied', 'stopped', 'bounced', 'completed'] as const;
export type EnrolmentStatus = (typeof ENROLMENT_STATUSES)[number];
export type EndStatus = Exclude<EnrolmentStatus, 'active'>;

/**
 * From which statuses each end can be reached. A reply or a hard bounce often comes after the last mail, so it also
 * changes a completed enrolment; a person's reply proves that a bounced address works. Whoever replied or was stopped
 * stays so: what comes later is logged, no more.
 */
const ENDS_FROM: Record<EndStatus, readonly EnrolmentStatus[]> = {
  replied: ['active', 'completed', 'bounced'],
  stopped: ['active'],
  bounced: ['active', 'completed'],
  completed: ['active'],
};

/** How an enrolment ends. */
export interface End {
  status: EndStatus;
  reason?: string;
  /** Ends that this one takes the place of, beside those of `ENDS_FROM`, when they were made at `since` or later. */
  over?: { statuses: readonly EndStatus[]; since: Date };
}

/**
 * Ends those of the enrolments whose status allows it: nothing waits for them any more, their pending calls are
 * cancelled, campaigns with nothing left to do complete. Returns the ids of those changed; the event, if there is one,
 * is logged by the caller. An end that a person made is audited, one row an enrolment.
 */
export async function endEnrolments(tx: Tx, app: App, caller: Caller, ids: readonly number[], to: End): Promise<number[]> {
  if (ids.length === 0) return [];
  await tx.em.flush();
  const now = app.clock.now();
  // Locked in id order first, so that two ends of the same people never wait for each other in a circle.
  const ended = await tx.query<{ id: number; workspace_id: number; campaign_id: number; contact_id: number }>(
    prepared(
      'end-enrolments',
      sql`
    with able as (
      select e.id from enrolments e where e.id = any(${ids}::int[]) and (e.status = any(${ENDS_FROM[to.status]}::text[])
        or (e.status = any(${to.over?.statuses ?? []}::text[]) and e.updated_at >= ${to.over?.since ?? null}::timestamptz))
      order by e.id for no key update
    )
    update enrolments e set status = ${to.status}, stop_reason = ${to.reason ?? null}, due_at = null, held_until = null,
      hold_reason = null, updated_at = ${now}
    from able a where e.id = a.id returning e.id, e.workspace_id, e.campaign_id, e.contact_id`,
    ),
  );
  if (ended.length === 0) return [];
  const endedIds = ended.map((row) => row.id);
  await tx.query(
    prepared(
      'cancel-calls',
      sql`
    update call_tasks set status = 'cancelled', closed_at = ${now} where enrolment_id = any(${endedIds}::int[]) and status = 'pending'`,
    ),
  );
  if (caller.actor === 'user' || caller.actor === 'cli')
    for (const { id, workspace_id, campaign_id, contact_id } of ended)
      await audit(tx, { ...caller, workspaceId: workspace_id }, now, {
        action: 'enrolment.end',
        resourceType: 'enrolment',
        resourceId: id,
        changes: { campaign_id, contact_id, status: to.status, reason: to.reason ?? null },
      });
  await completeCampaigns(
    tx,
    app,
    ended.map((row) => row.campaign_id),
  );
  return endedIds;
}
