import { audit, type TrashKind } from '../../access/index.ts';
import { sql } from '../../db/statement.ts';

/**
 * Restores a campaign as paused, so that restoring the wrong one sends no emails. Campaigns of its rotation group that were deleted with it
 * are restored with it.
 */
export const campaignsTrash: TrashKind = {
  type: 'campaigns',
  table: 'campaigns',
  label: 'name',
  async restore(tx, app, caller, id) {
    const now = app.clock.now();
    const restored = await tx.query<{ id: number }>(sql`
      update campaigns set deleted_at = null, updated_at = ${now}, paused_by_account = false,
        status = case status when 'active' then 'paused' else status end
      where id = ${id} or id in (
        select m.id from campaigns c join campaigns m on m.rotation_group_id = c.rotation_group_id and m.deleted_at = c.deleted_at
        where c.id = ${id})
      returning id`);
    // The trash writes the audit entry of the named campaign.
    for (const member of restored)
      if (member.id !== id) await audit(tx, caller, now, { action: 'campaign.restore', resourceType: 'campaign', resourceId: member.id });
  },
};
