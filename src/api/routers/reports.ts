import { z } from 'zod';
import { requireVisible } from '../../access/index.ts';
import { requireRotation } from '../../campaigns/index.ts';
import { pathId } from '../../fields/fields.ts';
import { CAMPAIGN_REPORTS, campaignReport, rotationReport, WORKSPACE_REPORTS, workspaceReport } from '../../reports/index.ts';
import { procedure, type RequestContext, router } from '../trpc.ts';
import { campaignReportSchema, domainLimit, reportDays, workspaceReportSchema } from './report-schema.ts';

const tags = ['Reports'];
const ofCampaign = ({ app, caller }: RequestContext, ids: Record<string, number>) =>
  requireVisible(app.db, caller, 'campaigns', ids.id ?? 0);
const ofRotation = ({ app, caller }: RequestContext, ids: Record<string, number>) => requireRotation(app.db, caller, ids.id ?? 0);

const DESCRIPTION =
  '`day`, `since` and `until` are the days on which emails were sent. `sent`, `delivered` and what machines fetched count emails; ' +
  'the others count contacts, each once in a campaign, with the email that it happened to first, so the rows add up to the total, ' +
  'which is that of the statistics. Rates have the 95 % interval after Wilson. ' +
  'By variant, group B is compared with A: the difference, and the probability that B is truly better.';

const oneReport = z.strictObject({
  id: pathId,
  by: z.enum(CAMPAIGN_REPORTS).default('step').describe('What a row has in common'),
  ...reportDays,
  domains: domainLimit,
});

export const reportsRouter = router({
  campaign: procedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/campaigns/{id}/report',
        tags,
        summary: 'Report on a campaign',
        description: DESCRIPTION,
      },
      target: ofCampaign,
    })
    .input(oneReport)
    .output(campaignReportSchema)
    .query(({ ctx: { app, caller }, input: { id, ...request } }) => campaignReport(app, caller, id, request)),

  rotation: procedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/rotations/{id}/report',
        tags,
        summary: 'Report on a rotation group',
        description: 'As on a campaign, with the sums over those of the group.',
      },
      target: ofRotation,
    })
    .input(oneReport)
    .output(campaignReportSchema)
    .query(({ ctx: { app, caller }, input: { id, ...request } }) => rotationReport(app, caller, id, request)),

  workspace: procedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/reports',
        tags,
        summary: 'Report on all campaigns',
        description: 'It counts as the report on a campaign.',
      },
    })
    .input(z.strictObject({ by: z.enum(WORKSPACE_REPORTS).default('campaign').describe('What a row has in common'), ...reportDays }))
    .output(workspaceReportSchema)
    .query(({ ctx: { app, caller }, input }) => workspaceReport(app, caller, input)),
});
