import type { Caller } from '../../access/index.ts';
import type { App } from '../../app.ts';
import { type CampaignPatch, changeSettings } from '../campaign/change-campaign.ts';
import { type CampaignRow, getCampaign } from '../campaign/read-campaign.ts';
import { endCompanyHolds } from '../enrolments/hold.ts';
import { providerMatchOf } from '../enrolments/provider-match.ts';
import { redistribute } from '../enrolments/rematch.ts';

/** Changes a campaign as `changeSettings` does, and releases or redistributes the contacts whose limit or account has changed. */
export async function changeCampaign(app: App, caller: Caller, id: number, patch: CampaignPatch): Promise<CampaignRow> {
  await app.db.tx(async (tx) => {
    const members = await changeSettings(tx, app, caller, id, patch);
    if (patch.max_per_company_per_day !== undefined) for (const member of members) await endCompanyHolds(tx, member);
    const isMatched = patch.account_id !== undefined && (await providerMatchOf(tx, id)) !== 'off';
    if ((patch.provider_match !== undefined || isMatched) && members.length > 1) await redistribute(tx, app, members);
  });
  return getCampaign(app.db, caller, id);
}
