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
    .meta({ openapi: { method: 'GET', path: '/suppressions', tags, summary: 'List the addresses that are never written to' } })
    .input(z.strictObject(pageQuery))
    .output(pageOf(suppressionSchema))
    .query(({ ctx: { app, caller }, input }) => listSuppressions(app.db, caller, input)),

  add: procedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/suppressions',
        tags,
        summary: 'Never write to an address again',
        description:
          'Stops what is under way to the address. Adding one that is there answers the present record; one removed earlier is revived.',
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
        summary: 'Allow an address again; named in the body',
        description: 'Nothing that was stopped starts again.',
      },
      access: 'write',
      status: 204,
      refusals: { 404: 'The address is not on the list' },
    })
    .input(z.strictObject({ email }))
    .output(z.void())
    .mutation(({ ctx: { app, caller }, input }) => removeSuppression(app, caller, input.email)),
});
