import { z } from 'zod';
import { suppressAddress } from '../../campaigns/index.ts';
import { listSuppressions, removeSuppression } from '../../contacts/index.ts';
import { pageOf, pageQuery, singleLine, timestampText } from '../../fields/fields.ts';
import { procedure, router } from '../trpc.ts';

const suppressionSchema = z
  .object({
    id: z.number().int(),
    email: z.string().meta({ example: 'never@example.org' }),
    reason: z.string().nullable().meta({ example: 'asked by phone' }),
    created_at: timestampText,
  })
  .meta({ id: 'Suppression' });

const tags = ['Suppressions'];
const email = singleLine(254).meta({ example: 'never@example.org' });

export const suppressionsRouter = router({
  list: procedure
    .meta({ openapi: { method: 'GET', path: '/suppressions', tags, summary: 'List suppressed addresses' } })
    .input(z.strictObject(pageQuery))
    .output(pageOf(suppressionSchema))
    .query(({ ctx: { app, caller }, input }) => listSuppressions(app.db, caller, input)),

  add: procedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/suppressions',
        tags,
        summary: 'Suppress an address',
        description: [
          'Stops the active enrolments of the address. No workspace emails it any more, unless the setting suppression_scope says so.',
          'If it is already suppressed, the existing record is returned; if it was removed, that record is restored.',
        ].join(' '),
      },
      access: 'write',
      status: 201,
      readOnly: ['id', 'created_at'],
    })
    .input(z.strictObject({ email, reason: singleLine(500).nullable().default(null) }))
    .output(suppressionSchema)
    .mutation(({ ctx: { app, caller }, input }) => suppressAddress(app, caller, input)),

  remove: procedure
    .meta({
      openapi: {
        method: 'DELETE',
        path: '/suppressions',
        tags,
        summary: 'Remove a suppression; the body names the address',
        description: [
          'Enrolments that were stopped are not resumed. If the address is not emailed all the same, because another workspace',
          'suppresses it or its person was erased, the response has the header Still-Suppressed.',
        ].join(' '),
      },
      headers: { 'Still-Suppressed': 'true: the address is not emailed all the same' },
      access: 'write',
      status: 204,
      errors: { 404: 'The address is not suppressed' },
    })
    .input(z.strictObject({ email }))
    .output(z.object({ still_suppressed: z.boolean() }))
    .mutation(async ({ ctx, input }) => {
      const isStill = await removeSuppression(ctx.app, ctx.caller, input.email);
      if (isStill) ctx.headers = { 'Still-Suppressed': 'true' };
      return { still_suppressed: isStill };
    }),
});
