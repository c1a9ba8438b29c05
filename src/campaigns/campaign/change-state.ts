import { audit, type Caller, differences } from '../../access/index.ts';
import type { App } from '../../app.ts';
import type { Tx } from '../../db/transaction.ts';
import type { Campaign } from './entities.ts';
import { publishCampaignChange } from './publish.ts';

/** The fields that say whether a campaign sends. */
export type CampaignState = Partial<Pick<Campaign, 'status' | 'starts_at' | 'paused_by_account' | 'is_archived' | 'deleted_at'>>;

/**
 * Changes the state of a locked campaign in the caller's transaction, with its audit entry and its webhook deliveries.
 * @returns false when nothing would change
 */
export async function changeCampaignState(
  tx: Tx,
  app: App,
  caller: Caller,
  campaign: Campaign,
  action: string,
  state: CampaignState,
): Promise<boolean> {
  const changes = differences(campaign, state);
  if (Object.keys(changes).length === 0) return false;
  const now = app.clock.now();
  Object.assign(campaign, state, { updated_at: now });
  await audit(tx, caller, now, { action, resourceType: 'campaign', resourceId: campaign.id, changes });
  if ('status' in changes)
    await publishCampaignChange(tx, state.status === 'active' ? 'campaign.activated' : 'campaign.paused', [campaign.id], now);
  return true;
}
