import { z } from 'zod';
import { CAMPAIGN_STATUSES, listGroupedCampaigns } from '../../campaigns/index.ts';
import { archivedQuery, pageOf, pageQuery } from '../../fields/fields.ts';
import { procedure, router } from '../trpc.ts';
import { campaignSchema } from './campaign-schema.ts';

const grouped = campaignSchema
  .extend({
    rotation_id: z.number().int().nullable().meta({ description: 'Null for a campaign that is in no rotation group', example: 2 }),
    account_count: z.number().int().meta({ description: 'Number of accounts that it sends from', example: 3 }),
  })
  .meta({ id: 'GroupedCampaign' });

/** Campaigns as users count them, with a rotation group as one. */
export const groupedCampaignsRouter = router({
  list: procedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/campaigns/grouped',
        tags: ['Campaigns'],
        summary: 'List campaigns, each rotation group as one',
        description: 'A group is its first campaign, with the status and the contacts of the whole group.',
      },
    })
    .input(
      z.strictObject({
        archived: archivedQuery,
        status: z.enum(CAMPAIGN_STATUSES).describe('Only campaigns and groups with this status').optional(),
        ...pageQuery,
      }),
    )
    .output(pageOf(grouped))
    .query(({ ctx: { app, caller }, input: { limit, offset, ...filter } }) =>
      listGroupedCampaigns(app.db, caller, filter, { limit, offset }),
    ),
});
