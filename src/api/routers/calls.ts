import { z } from 'zod';
import { CALL_STATUSES, closeCall, listCalls, requireCall } from '../../campaigns/index.ts';
import { pageOf, pageQuery, pathId, textBoolean, timestampText } from '../../fields/fields.ts';
import { procedure, type RequestContext, router } from '../trpc.ts';

const call = z
  .object({
    id: z.number().int(),
    campaign_id: z.number().int(),
    campaign_name: z.string(),
    contact_id: z.number().int(),
    name: z.string(),
    email: z.string(),
    company: z.string().nullable(),
    phone: z
      .string()
      .nullable()
      .meta({ description: 'From the first custom field of the type phone that has a value', example: '+44 20 7946 0000' }),
    step_order: z.number().int(),
    notes: z.string().meta({ description: 'The notes of the step, merged for the contact', example: 'Ask for Ada Lovelace' }),
    status: z.enum(CALL_STATUSES),
    note: z.string().nullable().meta({ description: 'Note by the person who closed it', example: null }),
    due_at: timestampText,
  })
  .meta({ id: 'Call' });

const closed = z.object({ id: z.number().int(), outcome: z.enum(['done', 'skipped']) }).meta({ id: 'ClosedCall' });
const note = z
  .string('must be a string')
  .max(2_000, 'at most 2,000 characters')
  .nullable()
  .optional()
  .meta({ example: 'Asked to call again in May' });

const tags = ['Calls'];
const target = ({ app, caller }: RequestContext, ids: Record<string, number>) => requireCall(app.db, caller, ids.id ?? 0);
const errors = { 409: 'The call is closed already' };
const description = 'The contact continues with the next step.';

/** The calls that people make as steps of campaigns. */
export const callsRouter = router({
  list: procedure
    .meta({
      openapi: { method: 'GET', path: '/calls', tags, summary: 'List the calls to make, longest due first' },
    })
    .input(
      z.strictObject({
        closed: textBoolean.default(false).describe('true: also calls that are closed, or whose campaign is paused'),
        ...pageQuery,
      }),
    )
    .output(pageOf(call))
    .query(({ ctx: { app, caller }, input: { closed: all, ...page } }) => listCalls(app.db, caller, { all }, page)),

  done: procedure
    .meta({
      openapi: { method: 'POST', path: '/calls/{id}/done', tags, summary: 'Mark a call as done', description },
      access: 'write',
      target,
      errors,
    })
    .input(z.strictObject({ id: pathId, note }))
    .output(closed)
    .mutation(async ({ ctx: { app, caller }, input }) => {
      await closeCall(app, caller, input.id, { outcome: 'done', note: input.note ?? null });
      return { id: input.id, outcome: 'done' as const };
    }),

  skip: procedure
    .meta({
      openapi: { method: 'POST', path: '/calls/{id}/skip', tags, summary: 'Skip a call', description },
      access: 'write',
      target,
      errors,
    })
    .input(z.strictObject({ id: pathId, note }))
    .output(closed)
    .mutation(async ({ ctx: { app, caller }, input }) => {
      await closeCall(app, caller, input.id, { outcome: 'skipped', note: input.note ?? null });
      return { id: input.id, outcome: 'skipped' as const };
    }),
});
