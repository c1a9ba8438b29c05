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

const WHAT_COUNTS =
  'A report is about emails, and what has come of them: `day`, `since` and `until` are the days on which they were sent. `sent`, `delivered` ' +
  'and what machines fetched count emails. The others count contacts, each once in a campaign, with the email that it happened to first: ' +
  'the rows add up to the total, which is that of the statistics. A rate has the 95 % interval after Wilson.';

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
        description: `${WHAT_COUNTS} By variant, group B is compared with A: the difference, and the probability that B is truly better.`,
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
      openapi: { method: 'GET', path: '/reports', tags, summary: 'Report on all campaigns', description: WHAT_COUNTS },
    })
    .input(z.strictObject({ by: z.enum(WORKSPACE_REPORTS).default('campaign').describe('What a row has in common'), ...reportDays }))
    .output(workspaceReportSchema)
    .query(({ ctx: { app, caller }, input }) => workspaceReport(app, caller, input)),
});
