import { type Caller, saveRecord } from '../../access/index.ts';
import type { App } from '../../app.ts';
import type { Tx } from '../../db/transaction.ts';
import type { Campaign } from './entities.ts';
import { publishCampaignChange } from './publish.ts';
import { CAMPAIGN } from './read-campaign.ts';

/** The fields that decide whether a campaign sends. */
export type CampaignState = Partial<Pick<Campaign, 'status' | 'starts_at' | 'paused_by_account' | 'is_archived' | 'deleted_at'>>;

/**
 * Changes the state of a locked campaign in the caller's transaction, with its audit entry and its webhook deliveries.
 * @param verb of the audit entry, for example `pause`
 * @returns false when nothing would change
 */
export async function changeCampaignState(
  tx: Tx,
  app: App,
  caller: Caller,
  campaign: Campaign,
  verb: string,
  state: CampaignState,
): Promise<boolean> {
  const changes = await saveRecord(tx, app, caller, CAMPAIGN, campaign, { verb, patch: state });
  if (changes?.status !== undefined)
    await publishCampaignChange(tx, state.status === 'active' ? 'campaign.activated' : 'campaign.paused', [campaign.id], app.clock.now());
  return changes !== undefined;
}
