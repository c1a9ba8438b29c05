import { z } from 'zod';
import { beforeQuery, dataOf, pathId, textBoolean, timestampText, untrusted } from '../../fields/fields.ts';
import { listOutbox, OUTBOX_STATES, requireEmail } from '../../outbox/index.ts';
import { procedure, router } from '../trpc.ts';

const email = z
  .object({
    id: z.number().int().meta({ example: 812 }),
    campaign_id: z.number().int(),
    campaign_name: z.string().meta({ example: 'Spring fair' }),
    contact_id: z.number().int(),
    recipient: z.string().meta({ example: 'ada@example.org' }),
    step_order: z.number().int(),
    account_id: z.number().int(),
    account_email: z.string().meta({ example: 'zoe@example.com' }),
    state: z.enum(OUTBOX_STATES).meta({ example: 'accepted' }),
    attempt: z.number().int().meta({ example: 1 }),
    message_id: z.string().meta({ example: '<w7k2m5@example.com>' }),
    response: z
      .string()
      .nullable()
      .meta({ ...untrusted, description: 'What the server replied', example: '250 2.0.0 Ok' }),
    transmitting_at: timestampText.nullable(),
  })
  .meta({ id: 'OutboxEmail' });

const tags = ['Outbox'];

export const outboxRouter = router({
  list: procedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/outbox',
        tags,
        summary: 'List emails, latest first',
        description: 'For the next page, pass the id of the last email as `before`.',
      },
      access: 'admin',
      isHeavy: true,
    })
    .input(
      z.strictObject({
        uncertain: textBoolean.default(false).describe('true: only emails whose delivery is unknown after a crash'),
        ...beforeQuery,
      }),
    )
    .output(dataOf(email))
    .query(async ({ ctx: { app, caller }, input: { uncertain, before, limit } }) => ({
      data: await listOutbox(app.db, caller, {
        uncertain,
        limit,
        ...(before === undefined ? {} : { before }),
      }),
    })),

  resolve: procedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/outbox/{id}/resolve',
        tags,
        summary: 'Decide what became of an email whose delivery is unknown',
        description: '`sent` continues its sequence; `resend` sends it again with the same Message-ID.',
      },
      access: 'admin',
      target: ({ app, caller }, ids) => requireEmail(app.db, caller, ids.id ?? 0),
      errors: { 409: 'The delivery of the email is known, or its sequence has gone on' },
    })
    .input(z.strictObject({ id: pathId, decision: z.enum(['sent', 'resend'], 'must be sent or resend') }))
    .output(z.object({ id: z.number().int().meta({ example: 812 }), decision: z.enum(['sent', 'resend']) }))
    .mutation(async ({ ctx: { app, caller }, input }) => {
      const { resolveOutbox } = await import('./resolve-email.ts');
      await resolveOutbox(app, caller, input.id, input.decision);
      return input;
    }),
});
