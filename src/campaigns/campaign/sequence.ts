import { type Caller, lockRecord, missing, requireVisible } from '../../access/index.ts';
import { type Queryable, raw, type Sql, sql } from '../../db/statement.ts';
import type { Tx } from '../../db/transaction.ts';
import type { Campaign } from './entities.ts';
import { lockCampaigns } from './lock-campaigns.ts';
import { CAMPAIGN } from './read-campaign.ts';

/**
 * Returns the ids of the live campaigns that share a campaign's sequence: those of its rotation group, or its own. Index:
 * campaigns_rotation.
 */
export async function sequenceOf(db: Queryable, campaignId: number): Promise<number[]> {
  const rows = await db.query<{ id: number }>(sql`
    select c.id from campaigns c where c.id = ${campaignId} and c.deleted_at is null
    union
    select m.id from campaigns c join campaigns m on m.rotation_group_id = c.rotation_group_id and m.deleted_at is null
    where c.id = ${campaignId} and c.deleted_at is null
    order by id`);
  return rows.map((row) => row.id);
}

/** Condition: campaign `alias` is this campaign or belongs to its rotation group. Indexes: campaigns_pkey, campaigns_rotation. */
export const isSequenceOf = (alias: string, campaignId: number): Sql => sql`(${raw(alias)}.id = ${campaignId}
  or ${raw(alias)}.rotation_group_id = (select own.rotation_group_id from campaigns own where own.id = ${campaignId}))`;

/** Locks all campaigns that share the sequence, in id order, for a change that applies to all of them. Throws `not_found`. */
export async function lockSequence(tx: Tx, caller: Caller, campaignId: number): Promise<number[]> {
  await requireVisible(tx, caller, 'campaigns', campaignId);
  await lockCampaigns(tx, await sequenceOf(tx, campaignId));
  // Read again under the lock: the campaign may have been deleted or joined a group in between.
  const members = await sequenceOf(tx, campaignId);
  if (members.length === 0) throw missing('campaigns');
  await lockCampaigns(tx, members);
  return members;
}

/**
 * The record kind of the other campaigns of a group, all visible: a caller who may change one campaign of a group may change all of them,
 * even ones that are not shared with that caller.
 */
const MEMBER = { ...CAMPAIGN, visible: () => sql`true` };

/** A locked campaign: a member of a rotation group, or a campaign without one. */
export type Member = Campaign;

/** Locks the campaigns that share a campaign's sequence and loads them as entities, the named one first. Throws `not_found`. */
export async function lockMembers(tx: Tx, caller: Caller, campaignId: number): Promise<[Member, ...Member[]]> {
  const ids = await lockSequence(tx, caller, campaignId);
  const named = await lockRecord(tx, caller, CAMPAIGN, campaignId);
  const others: Member[] = [];
  for (const id of ids) if (id !== campaignId) others.push(await lockRecord(tx, caller, MEMBER, id));
  return [named, ...others];
}
