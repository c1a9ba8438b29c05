import { testCampaign } from '../../sending/index.ts';
import { decorateEmail, linkOf } from '../../tracking/index.ts';
import type { RequestContext } from '../trpc.ts';

/** Sends test emails of a campaign. A module of its own, loaded on the first test: the other procedures of its resource only read. */
export const sendTests = ({ app, caller }: RequestContext, id: number, input: Parameters<typeof testCampaign>[3]) =>
  testCampaign(app, caller, id, input, { decorate: decorateEmail, linkOf });
