import { z } from 'zod';
import { requireVisible } from '../../access/index.ts';
import { CAMPAIGN_OPTIONS, getCampaignOptions } from '../../campaigns/index.ts';
import { CAUSES } from '../../core/cause-text.ts';
import { either } from '../../core/english.ts';
import { bodyId, filledLine, pathId } from '../../fields/fields.ts';
import { documented, schemasOf } from '../../fields/option-schema.ts';
import { procedure, type RequestContext, router } from '../trpc.ts';

const subsequence = z
  .strictObject({
    on: z.enum(CAUSES, `must be ${either(CAUSES)}`).meta({
      description:
        'A label on their reply, a reply, an open, a click, or the end of the campaign; the last three do not enrol contacts who replied',
    }),
    label: filledLine(50).nullable().optional().meta({ description: 'For `label`, ignoring case', example: 'interested' }),
    wait_days: z
      .number('must be an integer')
      .int('must be an integer')
      .min(0, 'must be 0 or more')
      .max(365, 'must be at most 365')
      .optional()
      .meta({ description: 'Days from the cause to the enrolment; 0 by default', example: 3 }),
    campaign_id: bodyId.meta({ description: 'Campaign that the contact is enrolled in', example: 9 }),
  })
  .meta({ id: 'Subsequence' });

const { subsequences } = CAMPAIGN_OPTIONS;
const options = {
  ...schemasOf(CAMPAIGN_OPTIONS),
  subsequences: z
    .array(subsequence, 'must be a list of subsequences')
    .max(subsequences.most, `at most ${subsequences.most}`)
    .meta({ description: documented(subsequences).description }),
};

/** The options of a change; each is optional. */
export const someOptions = z.object(options).partial().shape;

const optionsSchema = z.object({ campaign_id: z.number().int(), ...options }).meta({ id: 'CampaignOptions' });

const tags = ['Campaigns'];
const target = ({ app, caller }: RequestContext, ids: Record<string, number>) => requireVisible(app.db, caller, 'campaigns', ids.id ?? 0);

/** The settings of a campaign that are not in its record. */
export const campaignOptionsRouter = router({
  get: procedure
    .meta({ openapi: { method: 'GET', path: '/campaigns/{id}/options', tags, summary: 'Read the options of a campaign' }, target })
    .input(z.strictObject({ id: pathId }))
    .output(optionsSchema)
    .query(async ({ ctx: { app, caller }, input: { id } }) => ({ campaign_id: id, ...(await getCampaignOptions(app.db, caller, id)) })),

  update: procedure
    .meta({
      openapi: {
        method: 'PATCH',
        path: '/campaigns/{id}/options',
        tags,
        summary: 'Change options of a campaign',
        description: 'Changes apply at once, in a rotation group to all campaigns.',
      },
      access: 'write',
      readOnly: ['campaign_id'],
      target,
    })
    .input(z.strictObject({ id: pathId, ...someOptions }))
    .output(optionsSchema)
    .mutation(async ({ ctx: { app, caller }, input: { id, ...patch } }) => {
      const { changeCampaign } = await import('./campaign-changes.ts');
      await changeCampaign(app, caller, id, patch);
      return { campaign_id: id, ...(await getCampaignOptions(app.db, caller, id)) };
    }),
});
