import { audit, type Caller, copyShares } from '../../access/index.ts';
import { lockLiveAccounts } from '../../accounts/index.ts';
import { invalid } from '../../core/errors.ts';
import type { Tx } from '../../db/transaction.ts';
import { copyCampaignRow } from '../campaign/copy-campaign.ts';
import { copySteps } from '../steps/copy-steps.ts';

/** Locks the accounts that a rotation group is to send from, and returns their ids in order. Throws `invalid_request` naming one that is not live. */
export async function requireLiveAccounts(tx: Tx, caller: Caller, wanted: readonly number[]): Promise<number[]> {
  const live = await lockLiveAccounts(tx, caller, wanted);
  const missing = wanted.find((id) => !live.includes(id));
  if (missing !== undefined) throw invalid(`account_ids: no live sending account has the id ${missing}`);
  return live;
}

/**
 * Copies a campaign with its settings, steps and shares once for each account. Returns the ids of the copies.
 * @param campaign the campaign to copy, with the name of its rotation group
 */
export async function copyMember(
  tx: Tx,
  campaign: { id: number; name: string },
  accountIds: readonly number[],
  now: Date,
): Promise<number[]> {
  const ids = await copyCampaignRow(tx, campaign, accountIds, now);
  await copySteps(tx, campaign.id, ids, now);
  await copyShares(tx, 'campaigns', campaign.id, ids);
  return ids;
}

/** Writes the audit entries of copies. */
export async function auditCopies(
  tx: Tx,
  caller: Caller,
  copies: readonly number[],
  changes: { copied_from: number; rotation_group_id: number },
  now: Date,
): Promise<void> {
  for (const id of copies) await audit(tx, caller, now, { action: 'campaign.create', resourceType: 'campaign', resourceId: id, changes });
}
