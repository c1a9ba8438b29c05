import { z } from 'zod';
import { requireVisible } from '../../access/index.ts';
import { CAMPAIGN_STATUSES, requireRotation, STEP_KINDS } from '../../campaigns/index.ts';
import { bodyId, dataOf, emailText, MAX_ID, pathId, textInteger, timestampText, untrusted } from '../../fields/fields.ts';
import { countHits } from '../../tracking/index.ts';
import { procedure, type RequestContext, router } from '../trpc.ts';

const forecasts = () => import('./forecasts.ts');
const forecastMail = z
  .object({
    contact_id: z.number().int(),
    email: z.string(),
    step_order: z.number().int(),
    account_id: z.number().int(),
    account_email: z.string(),
    send_at: timestampText,
  })
  .meta({ id: 'ForecastMail' });

const explained = {
  status: z.enum(CAMPAIGN_STATUSES),
  reasons: z.array(z.string().meta(untrusted)).meta({
    id: 'Reasons',
    description: 'Why nothing is sent now, most important first; empty if it is sending',
    example: ['The account zoe@example.com was paused manually; resume it with: outreach account resume 3'],
  }),
  notes: z.array(z.string().meta(untrusted)).meta({ example: [] }),
  next_send_at: timestampText.nullable(),
};
const explanation = z.object({ campaign_id: z.number().int(), ...explained }).meta({ id: 'Explanation' });
const memberExplanation = explanation
  .extend({ account_email: z.string(), contacts: z.number().int(), active: z.number().int() })
  .meta({ id: 'RotationMemberExplanation' });
const rotationExplanation = z
  .object({ rotation_id: z.number().int(), ...explained, members: z.array(memberExplanation) })
  .meta({ id: 'RotationExplanation' });
const emailCount = textInteger({ min: 1, max: 10_000 }, 'Number of emails').default(50);

const previewedStep = z.object({
  step_order: z.number().int(),
  kind: z.enum(STEP_KINDS),
  variant: z.enum(['A', 'B']).meta({ description: 'B for content that only group B gets' }),
  wait_days: z.number().int(),
  wait: z.string().meta({ description: 'The whole wait, in business days or with hours too' }),
  attachments: z.array(z.string()).meta({ description: 'Names of files that go with the email' }),
  subject: z.string().nullable().meta({ description: 'Null for a call' }),
  body_html: z.string().meta({ description: 'For a call, its notes as text' }),
  unknown: z.array(z.string()).meta({ description: 'Keys of unknown placeholders', example: [] }),
  fault: z.string().nullable().meta({ description: 'Why the email would be held; null if it would be sent', example: null }),
});

const EXAMPLE_STEP = {
  step_order: 1,
  kind: 'email',
  variant: 'A',
  wait_days: 0,
  wait: '0 days',
  attachments: ['prices.pdf'],
  subject: 'A question, Ada',
  body_html: '<p>Hello Ada, …</p>',
  unknown: [],
  fault: null,
};

const preview = z
  .object({
    campaign_id: z.number().int(),
    contact_id: z.number().int(),
    cc: z.array(z.string()).meta({ description: 'Addresses that get a copy of each email, which every recipient sees', example: [] }),
    bcc: z.array(z.string()).meta({ description: 'Addresses to copy blind (Bcc)', example: ['crm@example.com'] }),
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
const ofRotations = ['Rotation groups'];
const rotation = ({ app, caller }: RequestContext, ids: Record<string, number>) => requireRotation(app.db, caller, ids.id ?? 0);
const target = ({ app, caller }: RequestContext, ids: Record<string, number>) => requireVisible(app.db, caller, 'campaigns', ids.id ?? 0);

const sentTests = z
  .object({
    to: z.string().meta({ example: 'me@example.com' }),
    from: z.string().meta({ description: 'Address of the account', example: 'zoe@example.com' }),
    contact_id: z.number().int().nullable().meta({ description: 'Contact that the tests were written for; null: their recipient' }),
    emails: z.array(
      z.object({
        step_order: z.number().int(),
        variant: z.enum(['A', 'B']),
        subject: z.string().meta({ example: '[Test] A question, Ada' }),
        message_id: z.string().meta({ example: '<w7k2m5@example.com>' }),
      }),
    ),
  })
  .meta({ id: 'SentTests' });

export const sendingRouter = router({
  test: procedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/campaigns/{id}/test',
        tags: ['Campaigns'],
        summary: 'Send the steps of a campaign to an address of your own',
        description:
          'As a contact would receive them, with `[Test]` before the subject. They count for the day of the account and for nothing ' +
          'else; their links count and unsubscribe nobody. Without `variant`, B is sent where it differs.',
      },
      access: 'write',
      callsOut: true,
      target: (ctx, ids) => requireVisible(ctx.app.db, ctx.caller, 'campaigns', ids.id ?? 0),
      errors: { 409: 'The address is suppressed, the account may not send now, or its server refused' },
    })
    .input(
      z.strictObject({
        id: pathId,
        to: emailText.meta({ example: 'me@example.com' }),
        contact_id: bodyId.optional().meta({ description: 'Contact to write for; without it, one of the campaign' }),
        step_order: bodyId.optional().meta({ description: 'The only step to send', example: 1 }),
        variant: z.enum(['A', 'B'], 'must be A or B').optional(),
      }),
    )
    .output(sentTests)
    .mutation(async ({ ctx, input: { id, ...input } }) => (await import('./send-tests.ts')).sendTests(ctx, id, input)),

  forecast: procedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/campaigns/{id}/forecast',
        tags: ['Campaigns'],
        summary: 'Forecast when the next emails of a campaign will be sent',
      },
      isHeavy: true,
      target: (ctx, ids) => requireVisible(ctx.app.db, ctx.caller, 'campaigns', ids.id ?? 0),
    })
    .input(z.strictObject({ id: pathId, limit: emailCount }))
    .output(dataOf(forecastMail))
    .query(async ({ ctx, input }) => ({ data: await (await forecasts()).forecastCampaign(ctx.app, ctx.caller, input.id, input.limit) })),

  forecastRotation: procedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/rotations/{id}/forecast',
        tags: ofRotations,
        summary: 'Forecast when the next emails of a rotation group will be sent',
      },
      isHeavy: true,
      target: rotation,
    })
    .input(z.strictObject({ id: pathId, limit: emailCount }))
    .output(dataOf(forecastMail))
    .query(async ({ ctx, input }) => ({ data: await (await forecasts()).forecastRotation(ctx.app, ctx.caller, input.id, input.limit) })),

  explain: procedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/campaigns/{id}/explain',
        tags: ['Campaigns'],
        summary: 'Explain why a campaign is not sending now',
      },
      isHeavy: true,
      target: (ctx, ids) => requireVisible(ctx.app.db, ctx.caller, 'campaigns', ids.id ?? 0),
    })
    .input(z.strictObject({ id: pathId }))
    .output(explanation)
    .query(async ({ ctx, input }) => (await forecasts()).explainCampaign(ctx.app, ctx.caller, input.id)),

  explainRotation: procedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/rotations/{id}/explain',
        tags: ofRotations,
        summary: 'Explain why a rotation group is not sending now',
        description: 'As one campaign: it is sending if one of its campaigns is. `members` explains each of them.',
      },
      target: rotation,
      isHeavy: true,
    })
    .input(z.strictObject({ id: pathId }))
    .output(rotationExplanation)
    .query(async ({ ctx, input }) => (await forecasts()).explainRotation(ctx.app, ctx.caller, input.id)),

  preview: procedure
    .meta({
      openapi: { method: 'GET', path: '/campaigns/{id}/preview', tags, summary: 'Show every step as one contact would receive it' },
      target,
      errors: { 404: 'No contact has this id' },
    })
    .input(z.strictObject({ id: pathId, contact_id: textInteger({ min: 1, max: MAX_ID }, 'Id of the contact') }))
    .output(preview)
    .query(async ({ ctx: { app, caller }, input }) =>
      (await import('./campaign-preview.ts')).previewCampaign(app, caller, input.id, input.contact_id),
    ),

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
