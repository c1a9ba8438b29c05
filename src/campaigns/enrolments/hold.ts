import { audit, type Caller } from '../../access/index.ts';
import type { App } from '../../app.ts';
import { empty, sql } from '../../db/statement.ts';
import type { Tx } from '../../db/transaction.ts';
import { wakeCampaign } from '../campaign/wake.ts';

/**
 * Holds an active enrolment until that instant. A person may set any; the daemon, which acts on the return date in an
 * auto-reply, only ever extends a hold. How a reply found the hold is kept, so that `undoReply` can restore it.
 * @returns true when the hold changed
 */
export async function holdEnrolment(
  tx: Tx,
  app: App,
  caller: Caller,
  id: number,
  { until, reason, replyId = null }: { until: Date; reason: string; replyId?: number | null },
): Promise<boolean> {
  const now = app.clock.now();
  const isPerson = caller.actor === 'user' || caller.actor === 'cli';
  const held = await tx.query<{ workspace_id: number; campaign_id: number; contact_id: number }>(sql`
    update enrolments e set held_until = ${until}, hold_reason = ${reason}, updated_at = ${now}, held_by = ${replyId}::int,
      before_hold = case when ${replyId}::int is not null then jsonb_build_object('held_until', e.held_until, 'hold_reason', e.hold_reason,
        'held_by', e.held_by, 'before_hold', e.before_hold) end
    where id = ${id} and status = 'active' ${isPerson ? empty : sql`and (held_until is null or held_until < ${until})`}
    returning workspace_id, campaign_id, contact_id`);
  const [row] = held;
  if (row === undefined) return false;
  // A shortened hold may end before the next planned batch.
  await wakeCampaign(tx, row.campaign_id, now);
  if (isPerson)
    await audit(tx, { ...caller, workspaceId: row.workspace_id }, now, {
      action: 'enrolment.hold',
      resourceType: 'enrolment',
      resourceId: id,
      changes: { campaign_id: row.campaign_id, contact_id: row.contact_id, held_until: until.toISOString(), reason },
    });
  return true;
}
