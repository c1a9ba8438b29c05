import { type CampaignWarning, checkCampaign } from '../../campaigns/index.ts';
import { capacityWarnings } from '../../sending/index.ts';
import type { RequestContext } from '../trpc.ts';

/** Warnings of what is likely to be wrong with a campaign. A module of its own, loaded with the first check, as it brings in the forecast. */
export async function warningsOf({ app, caller }: RequestContext, id: number): Promise<CampaignWarning[]> {
  const warnings = await checkCampaign(app, caller, id);
  const isSaid = warnings.some(({ code }) => code === 'takes_long');
  return isSaid ? warnings : [...warnings, ...(await capacityWarnings(app, caller, id))];
}
