import { z } from 'zod';
import { listSuppressions } from '../../contacts/index.ts';
import { WITHOUT_NUL } from '../../fields/exact-text.ts';
import { dataOf, emailOrDomainText, pageOf, pageQuery, singleLine, timestampText } from '../../fields/fields.ts';
import { procedure, router } from '../trpc.ts';

const changes = () => import('./suppression-changes.ts');

const suppressionSchema = z
  .object({
    id: z.number().int(),
    email: z.string().meta({ example: 'never@example.org', description: 'An address, or a domain with its subdomains as @example.com' }),
    reason: z.string().nullable().meta({ example: 'asked by phone' }),
    created_at: timestampText,
  })
  .meta({ id: 'Suppression' });

const tags = ['Suppressions'];
const email = emailOrDomainText.meta({ example: 'never@example.org', description: 'An address, or a domain as @example.com' });
const readOnly = ['id', 'created_at'];
/** Not checked here, so that a malformed address does not reject the whole batch. */
const batchEmail = z
  .string('must be a string')
  .max(1_000, 'at most 1,000 characters')
  .meta({ pattern: WITHOUT_NUL })
  .meta({ example: 'never@example.org' });

export const suppressionsRouter = router({
  list: procedure
    .meta({ openapi: { method: 'GET', path: '/suppressions', tags, summary: 'List suppressed addresses and domains' } })
    .input(
      z.strictObject({
        q: z
          .string()
          .normalize('NFC')
          .max(255, 'at most 255 characters')
          .meta({ description: 'Text that the address or domain contains' })
          .optional(),
        ...pageQuery,
      }),
    )
    .output(pageOf(suppressionSchema))
    .query(({ ctx: { app, caller }, input }) => listSuppressions(app.db, caller, input)),

  add: procedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/suppressions',
        tags,
        summary: 'Suppress an address or a domain',
        description: [
          'Stops the active enrolments of the address. No workspace emails it from then on, unless the setting suppression_scope says so.',
          '`@example.com` stands for every address at example.com and its subdomains; the domain of a mailbox provider, such as gmail.com,',
          'is suppressed in the workspace alone.',
          'If it is already suppressed, the existing record is returned; if it was removed, that record is restored.',
        ].join(' '),
      },
      access: 'write',
      status: 201,
      readOnly,
    })
    .input(z.strictObject({ email, reason: singleLine(500).nullable().default(null) }))
    .output(suppressionSchema)
    .mutation(async ({ ctx: { app, caller }, input }) => (await changes()).suppressAddress(app, caller, input)),

  addBatch: procedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/suppressions/batch',
        tags,
        summary: 'Suppress up to 1,000 addresses and domains',
        description: [
          'Answers with the result of each row, in their order: added, present (suppressed already), or rejected, with a message.',
          'Rows that are rejected keep no other row from being suppressed.',
        ].join(' '),
      },
      access: 'write',
      rows: 'suppressions',
      readOnly,
    })
    .input(
      z.strictObject({
        suppressions: z
          .array(z.strictObject({ email: batchEmail, reason: singleLine(500).nullable().default(null) }))
          .min(1, 'must not be empty')
          .max(1_000, 'at most 1,000'),
      }),
    )
    .output(
      dataOf(
        z.object({
          email: z.string().meta({ example: 'never@example.org' }),
          status: z.enum(['added', 'present', 'rejected']),
          message: z.string().nullable().meta({ example: null }),
        }),
      ),
    )
    .mutation(async ({ ctx: { app, caller }, input }) => ({ data: await (await changes()).suppressAll(app, caller, input.suppressions) })),

  remove: procedure
    .meta({
      openapi: {
        method: 'DELETE',
        path: '/suppressions',
        tags,
        summary: 'Remove a suppression; the body names the address',
        description: [
          'Enrolments that were stopped are not resumed. If the address still gets no emails, because another workspace',
          'suppresses it or its person was erased, the response has the header Still-Suppressed.',
        ].join(' '),
      },
      headers: { 'Still-Suppressed': 'true: the address still gets no emails' },
      access: 'write',
      status: 204,
      errors: { 404: 'The address is not suppressed' },
    })
    .input(z.strictObject({ email }))
    .output(z.object({ still_suppressed: z.boolean() }))
    .mutation(async ({ ctx, input }) => {
      const isStill = await (await changes()).removeSuppression(ctx.app, ctx.caller, input.email);
      if (isStill) ctx.headers = { 'Still-Suppressed': 'true' };
      return { still_suppressed: isStill };
    }),
});
