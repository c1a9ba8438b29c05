import { z } from 'zod';
import { requireVisible } from '../../access/index.ts';
import { bodyId, nameText, pathId } from '../../fields/fields.ts';
import { procedure, type RequestContext, router } from '../trpc.ts';
import { someOptions } from './campaign-options.ts';
import { someSettings } from './campaigns.ts';

const changes = () => import('./campaign-setup-changes.ts');
const target = ({ app, caller }: RequestContext, ids: Record<string, number>) => requireVisible(app.db, caller, 'campaigns', ids.id ?? 0);
const all = { ...someSettings, ...someOptions };

/**
 * Creates and changes campaigns with their options and accounts in one transaction, for the command line. REST has a path for each part, so
 * this is served under /trpc only.
 */
export const campaignSetupRouter = router({
  create: procedure
    .meta({ access: 'write' })
    .input(z.strictObject({ name: nameText, account_id: bodyId, more_account_ids: z.array(bodyId).max(200).optional(), ...all }))
    .output(z.object({ id: z.number().int() }))
    .mutation(async ({ ctx: { app, caller }, input: { more_account_ids: others = [], ...input } }) => {
      const { createSpread } = await changes();
      return { id: await createSpread(app, caller, input, others) };
    }),

  set: procedure
    .meta({ access: 'write', target })
    .input(z.strictObject({ id: pathId, name: nameText.optional(), account_id: bodyId.optional(), ...all }))
    .output(z.void())
    .mutation(async ({ ctx: { app, caller }, input: { id, ...patch } }) => {
      await (await changes()).changeCampaign(app, caller, id, patch);
    }),
});
