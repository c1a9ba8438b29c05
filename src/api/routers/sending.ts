import { z } from 'zod';
import { requireVisible } from '../../access/index.ts';
import { dataOf, pathId, textInteger, timestampText } from '../../fields/fields.ts';
import { explainCampaign, forecastCampaign } from '../../sending/index.ts';
import { procedure, router } from '../trpc.ts';

const forecastMail = z
  .object({
    contact_id: z.number().int(),
    email: z.string(),
    step_order: z.number().int(),
    account_id: z.number().int(),
    send_at: timestampText,
  })
  .meta({ id: 'ForecastMail' });

const explanation = z
  .object({
    campaign_id: z.number().int(),
    status: z.enum(['draft', 'active', 'paused', 'completed']),
    reasons: z.array(z.string()).meta({ example: ['the sending account is paused'] }),
    notes: z.array(z.string()).meta({ example: [] }),
    next_send_at: timestampText.nullable(),
  })
  .meta({ id: 'Explanation' });

export const sendingRouter = router({
  forecast: procedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/campaigns/{id}/forecast',
        tags: ['Campaigns'],
        summary: 'Forecast when the next emails of a campaign will be sent',
      },
      target: (ctx, ids) => requireVisible(ctx.app.db, ctx.caller, 'campaigns', ids.id ?? 0),
    })
    .input(z.strictObject({ id: pathId, limit: textInteger({ min: 1, max: 200 }, 'Number of emails').default(50) }))
    .output(dataOf(forecastMail))
    .query(async ({ ctx, input }) => ({ data: await forecastCampaign(ctx.app, ctx.caller, input.id, input.limit) })),

  explain: procedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/campaigns/{id}/explain',
        tags: ['Campaigns'],
        summary: 'Explain why a campaign is not sending now',
      },
      target: (ctx, ids) => requireVisible(ctx.app.db, ctx.caller, 'campaigns', ids.id ?? 0),
    })
    .input(z.strictObject({ id: pathId }))
    .output(explanation)
    .query(({ ctx, input }) => explainCampaign(ctx.app, ctx.caller, input.id)),
});
