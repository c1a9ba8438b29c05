import { z } from 'zod';
import { getUser } from '../../access/index.ts';
import { conflict } from '../../core/errors.ts';
import { pathId, timestampText, zoneName } from '../../fields/fields.ts';
import { getDailySummary, setDailySummary } from '../../summaries/index.ts';
import { procedure, type RequestContext, router } from '../trpc.ts';

const summary = z
  .object({
    user_id: z.number().int(),
    at: z.string().nullable().meta({ example: '08:00', description: 'Time of the day in the time zone; null: no summary is sent' }),
    timezone: z.string().nullable().meta({ example: 'Europe/Berlin' }),
    next_at: timestampText.nullable(),
  })
  .meta({ id: 'DailySummary' });

const timeOfDay = z
  .string('must be a string')
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of the day such as 08:00')
  .nullable()
  .meta({ example: '08:00', description: 'Time of the day; null: no summary is sent' });
const body = {
  at: timeOfDay,
  timezone: zoneName
    .nullable()
    .optional()
    .meta({ example: 'Europe/Berlin', description: 'By default or null: that of the workspace, or UTC' }),
};
const tags = ['Users'];
const readOnly = ['user_id', 'next_at'];
const errors = { 409: 'The installation sends no email of its own' };
const target = ({ app, caller }: RequestContext, ids: Record<string, number>) => getUser(app.db, caller, ids.id ?? 0);

/** Returns the id of the caller. Throws `conflict` for the operator, who is not a user. */
function ownId({ caller }: RequestContext): number {
  if (caller.userId === null) throw conflict('the operator has no email address; name a user: outreach user set EMAIL');
  return caller.userId;
}

export const dailySummariesRouter = router({
  getOwn: procedure
    .meta({ openapi: { method: 'GET', path: '/me/daily-summary', tags: ['Identity'], summary: 'Read when you get the daily summary' } })
    .input(z.strictObject({}))
    .output(summary)
    .query(({ ctx }) => getDailySummary(ctx.app.db, ctx.caller, ownId(ctx))),

  setOwn: procedure
    .meta({
      openapi: {
        method: 'PUT',
        path: '/me/daily-summary',
        tags: ['Identity'],
        summary: 'Set when you get a daily summary by email',
        description:
          'It lists what you may see of new replies, accounts that stopped, emails of unknown delivery, contacts whose next email ' +
          "can't be written, and calls to make. With none of them, no email is sent.",
      },
      access: 'write',
      readOnly,
      errors,
    })
    .input(z.strictObject(body))
    .output(summary)
    .mutation(({ ctx, input }) => setDailySummary(ctx.app, ctx.caller, ownId(ctx), input)),

  get: procedure
    .meta({
      openapi: { method: 'GET', path: '/users/{id}/daily-summary', tags, summary: 'Read when a user gets the daily summary' },
      access: 'admin',
      target,
    })
    .input(z.strictObject({ id: pathId }))
    .output(summary)
    .query(({ ctx, input }) => getDailySummary(ctx.app.db, ctx.caller, input.id)),

  set: procedure
    .meta({
      openapi: {
        method: 'PUT',
        path: '/users/{id}/daily-summary',
        tags,
        summary: 'Set when a user gets a daily summary by email',
        description: 'As `PUT /me/daily-summary`, for another user.',
      },
      access: 'admin',
      readOnly,
      target,
      errors,
    })
    .input(z.strictObject({ id: pathId, ...body }))
    .output(summary)
    .mutation(({ ctx, input: { id, ...time } }) => setDailySummary(ctx.app, ctx.caller, id, time)),
});
