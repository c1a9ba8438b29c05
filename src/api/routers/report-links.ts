import { z } from 'zod';
import { requireVisible } from '../../access/index.ts';
import { dataOf, filledLine, instantText, pathId, timestampText, trueOrFalse } from '../../fields/fields.ts';
import { createReportLink, listReportLinks, requireReportLink, revokeReportLink } from '../../reports/index.ts';
import { procedure, router } from '../trpc.ts';

const fields = {
  id: z.number().int().meta({ example: 4 }),
  campaign_id: z.number().int(),
  campaign_name: z.string().meta({ example: 'Spring fair' }),
  shows_names: z
    .boolean()
    .meta({ example: false, description: 'The page has the names of those who answered, and the domains of the recipients' }),
  sender: z.string().nullable().meta({ example: null, description: 'Who made the report, as the page says; null: the workspace' }),
  created_by: z.number().int().nullable(),
  created_at: timestampText,
  expires_at: timestampText.nullable().meta({ example: null }),
  revoked_at: timestampText.nullable().meta({ example: null }),
};
const link = z.object(fields).meta({ id: 'ReportLink' });
const created = z
  .object({ ...fields, url: z.string().meta({ description: 'Shown only once', example: 'https://outreach.example.com/r/EXAMPLE' }) })
  .meta({ id: 'CreatedReportLink' });

const tags = ['Reports'];

export const reportLinksRouter = router({
  list: procedure
    .meta({ openapi: { method: 'GET', path: '/report-links', tags, summary: 'List the links to reports, revoked and expired ones too' } })
    .input(z.strictObject({}))
    .output(dataOf(link))
    .query(async ({ ctx: { app, caller } }) => ({ data: await listReportLinks(app.db, caller) })),

  create: procedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/campaigns/{id}/report-links',
        tags,
        summary: 'Make a link that shows the live report on a campaign, to whoever has it',
        description: 'Of a campaign in a rotation group, the report on the group.',
      },
      access: 'write',
      status: 201,
      target: ({ app, caller }, ids) => requireVisible(app.db, caller, 'campaigns', ids.id ?? 0),
    })
    .input(
      z.strictObject({
        id: pathId,
        expires_at: instantText.nullable().default(null).describe('From when on it shows nothing; null: never'),
        shows_names: trueOrFalse.default(false).describe('true: also the names of those who answered, and the domains of the recipients'),
        sender: filledLine(255).nullable().default(null).meta({ example: null, description: 'Who made the report; null: the workspace' }),
      }),
    )
    .output(created)
    .mutation(({ ctx: { app, caller }, input: { id, expires_at: expiresAt, shows_names: showsNames, sender } }) =>
      createReportLink(app, caller, id, { expiresAt, showsNames, sender }),
    ),

  remove: procedure
    .meta({
      openapi: { method: 'DELETE', path: '/report-links/{id}', tags, summary: 'Revoke a link to a report' },
      access: 'write',
      status: 204,
      target: ({ app, caller }, ids) => requireReportLink(app.db, caller, ids.id ?? 0),
    })
    .input(z.strictObject({ id: pathId }))
    .output(z.void())
    .mutation(({ ctx: { app, caller }, input }) => revokeReportLink(app, caller, input.id)),
});
