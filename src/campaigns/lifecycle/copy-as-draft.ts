import type { Caller } from '../../access/index.ts';
import type { App } from '../../app.ts';
import { createDraftCopy } from '../campaign/draft-copy.ts';
import { type CampaignRow, getCampaign } from '../campaign/read-campaign.ts';
import { copySteps } from '../steps/copy-steps.ts';

/**
 * Copies a campaign with its settings, options and steps as a draft of the caller, without contacts. Of a rotation group, copies this
 * campaign alone. Throws `not_found`.
 */
export async function copyAsDraft(app: App, caller: Caller, id: number, name?: string): Promise<CampaignRow> {
  const copyId = await app.db.tx(async (tx) => {
    const copy = await createDraftCopy(tx, app, caller, id, name);
    await copySteps(tx, id, [copy], app.clock.now());
    return copy;
  });
  return getCampaign(app.db, caller, copyId);
}
