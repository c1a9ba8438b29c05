import { z } from 'zod';
import { requireVisible } from '../../access/index.ts';
import { campaignStats } from '../../campaigns/index.ts';
import { EVENT_TYPES } from '../../core/event-types.ts';
import { listCampaignEvents, listEvents, listEventsAfter, withContacts } from '../../events/index.ts';
import { instantText, pageOf, pageQuery, pathId, textInteger, timestampText } from '../../fields/fields.ts';
import { procedure, type RequestContext, router } from '../trpc.ts';

const event = z
  .object({
    id: z.number().int(),
    campaign_id: z.number().int(),
    contact_id: z.number().int(),
    type: z.enum(EVENT_TYPES),
    step_order: z.number().int(),
    url: z.string().nullable().meta({ example: null, description: 'The URL that was clicked; null for every other type' }),
    timestamp: timestampText,
  })
  .meta({ id: 'Event' });

const feedEvent = event
  .extend({
    contact: z
      .object({ id: z.number().int(), email: z.string(), name: z.string() })
      .optional()
      .meta({ description: 'Only with expand=contact: the contact as it is now' }),
  })
  .meta({ id: 'FeedEvent' });

const typeQuery = z.enum(EVENT_TYPES).describe('Only events of this type');

const count = z.number().int();
const stats = z
  .object({
    contacts: count,
    steps: count,
    sent: count.meta({ description: 'Emails; the other counters, except steps, count contacts' }),
    opened: count,
    clicked: count,
    replied: count,
    bounced: count,
    failed: count,
  })
  .meta({ id: 'CampaignStats' });

const ofCampaign = { tags: ['Campaign events and stats'], method: 'GET' as const };
const campaignTarget = (ctx: RequestContext, ids: Record<string, number>) =>
  requireVisible(ctx.app.db, ctx.caller, 'campaigns', ids.id ?? 0);

export const eventsRouter = router({
  list: procedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/events',
        tags: ['Event feed'],
        summary: 'List the events of all campaigns, newest first',
        description:
          'With `after_id`, events come by ascending id. To follow the feed, ask with `after_id=0`, and then each time with the id of ' +
          'the last event: every event comes exactly once, in order. `total` is then exact up to 10,000; of more it is greater than the ' +
          'end of the page as long as more follow.',
      },
    })
    .input(
      z.strictObject({
        campaign_id: pathId.describe('Only events of this campaign').optional(),
        contact_id: pathId.describe('Only events of this contact').optional(),
        type: typeQuery.optional(),
        since: instantText.describe('Only events at or after this time').optional(),
        after_id: textInteger({ min: 0, max: Number.MAX_SAFE_INTEGER }, 'Only events with a higher id, by ascending id').optional(),
        expand: z.enum(['contact']).describe('Add the contact to each event').optional(),
        ...pageQuery,
      }),
    )
    .output(pageOf(feedEvent))
    .query(async ({ ctx: { app, caller }, input: { campaign_id, contact_id, type, since, after_id, expand, ...page } }) => {
      const filter = { campaignId: campaign_id, contactId: contact_id, type, since, afterId: after_id };
      const events = await (after_id === undefined ? listEvents : listEventsAfter)(app.db, caller, filter, page);
      return expand === undefined ? events : withContacts(app.db, events);
    }),

  listOfCampaign: procedure
    .meta({
      openapi: { ...ofCampaign, path: '/campaigns/{id}/events', summary: 'List the events of a campaign, newest first' },
      target: campaignTarget,
    })
    .input(z.strictObject({ id: pathId, type: typeQuery.optional(), ...pageQuery }))
    .output(pageOf(event.omit({ campaign_id: true })))
    .query(({ ctx: { app, caller }, input: { id, type, ...page } }) => listCampaignEvents(app.db, caller, id, type, page)),

  stats: procedure
    .meta({
      openapi: { ...ofCampaign, path: '/campaigns/{id}/stats', summary: 'Read the statistics of a campaign' },
      target: campaignTarget,
    })
    .input(z.strictObject({ id: pathId }))
    .output(stats)
    .query(({ ctx: { app, caller }, input }) => campaignStats(app.db, caller, input.id)),
});
