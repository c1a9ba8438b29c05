import { z } from 'zod';
import { bodyId, dataOf, timestampText, trueOrFalse } from '../../fields/fields.ts';
import { listWeeklyReports, setWeeklyReport } from '../../summaries/index.ts';
import { procedure, router } from '../trpc.ts';

const report = z
  .object({
    user_id: z.number().int(),
    email: z.string().meta({ example: 'ada@example.com' }),
    campaign_id: z.number().int().nullable().meta({ example: null, description: 'Null: the report on all campaigns' }),
    campaign_name: z.string().nullable().meta({ example: null }),
    timezone: z.string().meta({ example: 'Europe/Berlin', description: 'That of the workspace when it was set' }),
    next_at: timestampText,
  })
  .meta({ id: 'WeeklyReport' });

const path = '/weekly-reports';
const tags = ['Reports'];

export const weeklyReportsRouter = router({
  list: procedure
    .meta({
      openapi: {
        method: 'GET',
        path,
        tags,
        summary: 'List the reports that users get by email each Monday at 8:00',
        description: 'An admin sees those of all users, everybody else their own.',
      },
    })
    .input(z.strictObject({}))
    .output(dataOf(report))
    .query(async ({ ctx: { app, caller } }) => ({ data: await listWeeklyReports(app.db, caller) })),

  set: procedure
    .meta({
      openapi: {
        method: 'PUT',
        path,
        tags,
        summary: 'Set whether a user gets a report by email each Monday at 8:00, in the zone of the workspace',
        description:
          'It has what that user may see: of a campaign, or of its rotation group, all there is; of all campaigns, the emails of the seven days ' +
          'before. Only an admin sets it for others. A user who is disabled or removed gets none.',
      },
      access: 'write',
      errors: { 404: 'No such user or campaign', 409: 'The installation sends no email of its own' },
    })
    .input(
      z.strictObject({
        user_id: bodyId,
        campaign_id: bodyId.nullable().default(null).meta({ example: null, description: 'Null: the report on all campaigns' }),
        is_on: trueOrFalse.meta({ description: 'false: the user no longer gets it' }),
      }),
    )
    .output(dataOf(report))
    .mutation(async ({ ctx: { app, caller }, input }) => {
      await setWeeklyReport(app, caller, { userId: input.user_id, campaignId: input.campaign_id, isOn: input.is_on });
      return { data: await listWeeklyReports(app.db, caller) };
    }),
});
