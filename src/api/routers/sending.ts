import { z } from 'zod';
import { requireVisible } from '../../access/index.ts';
import { previewCampaign, STEP_KINDS } from '../../campaigns/index.ts';
import { dataOf, MAX_ID, pathId, textInteger, timestampText } from '../../fields/fields.ts';
import { explainCampaign, forecastCampaign } from '../../sending/index.ts';
import { countHits } from '../../tracking/index.ts';
import { procedure, type RequestContext, router } from '../trpc.ts';

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

const previewedStep = z.object({
  step_order: z.number().int(),
  kind: z.enum(STEP_KINDS),
  variant: z.enum(['A', 'B']).meta({ description: 'B for content that only group B gets' }),
  wait_days: z.number().int(),
  subject: z.string().nullable().meta({ description: 'Null for a call' }),
  body_html: z.string().meta({ description: 'For a call, its notes as text' }),
  unknown: z.array(z.string()).meta({ description: 'Keys of unknown placeholders', example: [] }),
  fault: z.string().nullable().meta({ description: 'Why the email would be held; null if it would be sent', example: null }),
});

const EXAMPLE_STEP = {
  ...{ step_order: 1, kind: 'email', variant: 'A', wait_days: 0, subject: 'A question, Ada', body_html: '<p>Hello Ada, …</p>' },
  ...{ unknown: [], fault: null },
};

const preview = z
  .object({
    campaign_id: z.number().int(),
    contact_id: z.number().int(),
    steps: z.array(previewedStep).meta({ example: [EXAMPLE_STEP] }),
    warnings: z.array(z.string()).meta({ example: [] }),
  })
  .meta({ id: 'Preview' });

const hitCount = z
  .object({
    kind: z.enum(['opened', 'clicked']),
    by: z.string().meta({ description: '`person`, or why it counts as a machine', example: 'person' }),
    hits: z.number().int(),
    contacts: z.number().int(),
    last_at: timestampText,
  })
  .meta({ id: 'HitCount' });

const tags = ['Campaigns'];
const target = ({ app, caller }: RequestContext, ids: Record<string, number>) => requireVisible(app.db, caller, 'campaigns', ids.id ?? 0);

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
    .input(z.strictObject({ id: pathId, limit: textInteger({ min: 1, max: 10_000 }, 'Number of emails').default(50) }))
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

  preview: procedure
    .meta({
      openapi: { method: 'GET', path: '/campaigns/{id}/preview', tags, summary: 'Show every step as one contact would receive it' },
      target,
      errors: { 404: 'No contact has this id' },
    })
    .input(z.strictObject({ id: pathId, contact_id: textInteger({ min: 1, max: MAX_ID }, 'Id of the contact') }))
    .output(preview)
    .query(({ ctx: { app, caller }, input }) => previewCampaign(app, caller, input.id, input.contact_id)),

  tracking: procedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/campaigns/{id}/tracking',
        tags,
        summary: 'Count opens and clicks, by people and by machines',
        description: 'Statistics and events count people only.',
      },
      target,
      isHeavy: true,
    })
    .input(z.strictObject({ id: pathId }))
    .output(dataOf(hitCount))
    .query(async ({ ctx: { app, caller }, input }) => ({ data: await countHits(app.db, caller, input.id) })),
});
