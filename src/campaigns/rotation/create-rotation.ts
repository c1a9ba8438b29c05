import { audit, type Caller } from '../../access/index.ts';
import type { App } from '../../app.ts';
import { conflict, invalid } from '../../core/errors.ts';
import type { Tx } from '../../db/transaction.ts';
import { type CampaignPatch, createCampaign } from '../campaign/change-campaign.ts';
import { beginRotation } from '../campaign/copy-campaign.ts';
import { lockCampaign } from '../campaign/read-campaign.ts';
import { wakeCampaign } from '../campaign/wake.ts';
import { distributeUnsent, spreadOver } from '../enrolments/distribute.ts';
import { auditCopies, copyMember, requireLiveAccounts } from './copy-member.ts';
import { getRotation, type Rotation } from './read-rotations.ts';

/**
 * Creates a draft campaign and, if there are further accounts, spreads it over them, in one transaction. Throws as `createCampaign` and
 * `createRotation` do. Returns the id of the campaign.
 */
export function createSpread(
  app: App,
  caller: Caller,
  input: CampaignPatch & { name: string; account_id: number },
  others: readonly number[],
): Promise<number> {
  return app.db.tx(async (tx) => {
    const inside = { ...app, db: app.db.within(tx) };
    const { id } = await createCampaign(inside, caller, input);
    if (others.length > 0) await createRotation(inside, caller, id, others);
    return id;
  });
}

/**
 * Spreads a campaign over several accounts: copies it, with its settings, steps and shares, once for each further account, and
 * distributes the contacts who have been sent nothing yet over all of them. Contacts who were emailed keep their account. The group has
 * the id of the campaign.
 * Throws `not_found`, `invalid_request` for an account that is not live or when no further account is named, and `conflict`
 * for a campaign that is archived or already in a group.
 */
export async function createRotation(app: App, caller: Caller, campaignId: number, accountIds: readonly number[]): Promise<Rotation> {
  const now = app.clock.now();
  await app.db.tx(async (tx) => {
    const campaign = await lockCampaign(tx, caller, campaignId);
    const others = await otherAccounts(tx, caller, campaign.account_id, accountIds);
    if (campaign.rotation_group_id != null) throw conflict(`the campaign is already in rotation group ${campaign.rotation_group_id}`);
    if (campaign.is_archived) throw conflict('the campaign is archived; unarchive it first');
    beginRotation(campaign, now);
    const copies = await copyMember(tx, campaign, others, now);
    const spread = await spreadOver(tx, [campaign.id, ...copies], campaign.id);
    const moved = await distributeUnsent(tx, [campaign.id], { ...spread, usual: spread.open }, now);
    for (const id of [campaignId, ...copies]) await wakeCampaign(tx, id, now);
    await audit(tx, caller, now, {
      action: 'rotation.create',
      resourceType: 'rotation',
      resourceId: campaignId,
      changes: { campaign_id: campaignId, account_ids: others, campaign_ids: copies, moved_contacts: moved },
    });
    await auditCopies(tx, caller, copies, { copied_from: campaignId, rotation_group_id: campaignId }, now);
  });
  return getRotation(app.db, caller, campaignId);
}

/** Returns the requested accounts without the campaign's own. Throws `invalid_request` if none is left or one is not live. */
async function otherAccounts(tx: Tx, caller: Caller, ownId: number, accountIds: readonly number[]): Promise<number[]> {
  const wanted = [...new Set(accountIds)].filter((id) => id !== ownId);
  if (wanted.length === 0) throw invalid("account_ids: name at least one account other than the campaign's own");
  return requireLiveAccounts(tx, caller, wanted);
}
