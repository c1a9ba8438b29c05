import { type CampaignWarning, checkCampaign } from '../../campaigns/index.ts';
import { capacityWarnings } from '../../sending/index.ts';
import type { RequestContext } from '../trpc.ts';

/** Returns warnings about a campaign's likely problems. A module of its own, loaded on the first check, because it imports the forecast. */
export async function warningsOf({ app, caller }: RequestContext, id: number): Promise<CampaignWarning[]> {
  const warnings = await checkCampaign(app, caller, id);
  const isKnown = warnings.some(({ code }) => code === 'takes_long');
  return isKnown ? warnings : [...warnings, ...(await capacityWarnings(app, caller, id))];
}
