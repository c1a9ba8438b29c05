import { type Caller, missing, requireVisible } from '../../access/index.ts';
import { type Queryable, sql } from '../../db/statement.ts';
import type { Tx } from '../../db/transaction.ts';
import { lockCampaigns } from '../../events/index.ts';

/** The live campaigns that share a campaign's sequence: its rotation group, or itself alone. Index: campaigns_rotation. */
export async function sequenceOf(db: Queryable, campaignId: number): Promise<number[]> {
  const rows = await db.query<{ id: number }>(sql`
    select c.id from campaigns c where c.id = ${campaignId} and c.deleted_at is null
    union
    select m.id from campaigns c join campaigns m on m.rotation_group_id = c.rotation_group_id and m.deleted_at is null
    where c.id = ${campaignId} and c.deleted_at is null
    order by id`);
  return rows.map((row) => row.id);
}

/** Locks all campaigns that share the sequence, in id order, for a change of its steps. Throws `not_found`. */
export async function lockSequence(tx: Tx, caller: Caller, campaignId: number): Promise<number[]> {
  await requireVisible(tx, caller, 'campaigns', campaignId);
  await lockCampaigns(tx, await sequenceOf(tx, campaignId));
  // Read again under the lock: the campaign may have been deleted or joined a group in between.
  const members = await sequenceOf(tx, campaignId);
  if (members.length === 0) throw missing('campaigns');
  await tx.query(sql`select 1 from campaigns where id = any(${members}::int[]) order by id for no key update`);
  return members;
}
