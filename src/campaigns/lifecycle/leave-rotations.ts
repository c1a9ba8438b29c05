import { audit, type Caller, daemon } from '../../access/index.ts';
import type { App } from '../../app.ts';
import { sql } from '../../db/statement.ts';
import type { Tx } from '../../db/transaction.ts';
import { setLeaving } from '../campaign/leave-rotation.ts';
import { lockMembers } from '../campaign/sequence.ts';
import { wakeCampaign } from '../campaign/wake.ts';
import { distributeUnsent, spreadOver } from '../enrolments/distribute.ts';

/**
 * Takes the campaigns of an account that was deleted or archived out of their rotation groups, as `removeFromRotation` does: contacts who were
 * not emailed yet go to the other accounts. Without another live account they wait. Index: campaigns_account.
 */
export async function leaveRotations(tx: Tx, app: App, caller: Caller, accountId: number): Promise<void> {
  const own = await tx.query<{ id: number; group_id: number }>(sql`
    select c.id, c.rotation_group_id as group_id from campaigns c
    where c.account_id = ${accountId} and c.rotation_group_id is not null and not c.is_leaving and c.deleted_at is null order by c.id`);
  const now = app.clock.now();
  for (const { id, group_id: groupId } of own) {
    // A caller who may remove the account may also do so in campaigns that are hidden from them.
    const members = await lockMembers(tx, daemon(caller.workspaceId), id);
    const spread = await spreadOver(
      tx,
      members.map((member) => member.id),
    );
    if (spread.open.length === 0) continue;
    await setLeaving(tx, app, caller, members[0], true);
    const moved = await distributeUnsent(tx, [id], spread, now);
    for (const member of members) await wakeCampaign(tx, member.id, now);
    const changes = { account_ids: [accountId], moved_contacts: moved };
    await audit(tx, caller, now, { action: 'rotation.remove', resourceType: 'rotation', resourceId: groupId, changes });
  }
}
