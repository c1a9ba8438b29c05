import { z } from 'zod';
import { requireVisible } from '../../access/index.ts';
import { readDeclared } from '../../campaign-files/read-declared.ts';
import { declaredCampaign } from '../../campaign-files/schema.ts';
import { pathId, singleLine, trueOrFalse } from '../../fields/fields.ts';
import { procedure, router } from '../trpc.ts';

const applied = z.object({
  digest: z.string().meta({ description: 'Identifies these changes; pass it as `expected`', example: 'q83vEjRWeJA' }),
  results: z.array(
    z
      .object({
        id: z.number().int().meta({ description: 'In a dry run, a new campaign has an id that no campaign has' }),
        name: z.string().meta({ example: 'Spring fair' }),
        action: z.enum(['create', 'update', 'none']).meta({ example: 'update' }),
        fields: z.array(z.string()).meta({ description: 'The keys that change', example: ['hours'] }),
        before: declaredCampaign.nullable().meta({ description: 'The campaign before, with every key; null if it is new' }),
        after: declaredCampaign,
        enrolled: z.number().int().meta({ description: 'Contacts of the list who were not in the campaign' }),
        notes: z.array(z.string()).meta({ description: 'What was left as it is, and why', example: [] }),
      })
      .meta({ id: 'AppliedCampaign' }),
  ),
  mistakes: z.array(
    z
      .object({
        campaign: z.number().int().meta({ description: 'Position in `campaigns`, from 0', example: 0 }),
        field: z.string().meta({ example: 'accounts[0]' }),
        message: z.string().meta({ example: 'no account sends from zoe@example.com' }),
      })
      .meta({ id: 'CampaignMistake' }),
  ),
});

const tags = ['Campaigns'];

export const campaignFilesRouter = router({
  applyAll: procedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/campaigns/apply',
        tags,
        summary: 'Apply declared campaigns, all or none',
        description:
          'Finds each campaign by its name, or creates it as a draft. Keys that are left out stay as they are; `steps` are all steps. ' +
          'Contacts of the list are enrolled, and nobody is taken out. Applied again, nothing changes. ' +
          'With `dry_run` nothing changes either, and every mistake is returned; without it, they return 400.',
      },
      access: 'write',
      errors: { 409: 'The changes are not those of `expected`' },
    })
    .input(
      z.strictObject({
        campaigns: z
          .array(declaredCampaign, 'must be an array of campaigns')
          .min(1, 'at least one campaign')
          .max(100, 'at most 100 campaigns'),
        dry_run: trueOrFalse.default(false).meta({ description: 'Change nothing, but return what would change' }),
        expected: singleLine(64)
          .optional()
          .meta({ description: 'The `digest` of the changes that were looked at', example: 'q83vEjRWeJA' }),
      }),
    )
    .output(applied)
    .mutation(async ({ ctx: { app, caller }, input: { campaigns, dry_run, expected } }) => {
      const { applyCampaigns } = await import('../../campaign-files/apply.ts');
      return applyCampaigns(app, caller, campaigns, { dryRun: dry_run, expected });
    }),

  export: procedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/campaigns/{id}/export',
        tags,
        summary: 'Export a campaign in the form that `POST /campaigns/apply` takes',
        description: 'With every key but `contacts`. A campaign of a rotation group represents the group.',
      },
      target: ({ app, caller }, ids) => requireVisible(app.db, caller, 'campaigns', ids.id ?? 0),
    })
    .input(z.strictObject({ id: pathId }))
    .output(declaredCampaign)
    .query(({ ctx: { app, caller }, input }) => readDeclared(app, caller, input.id)),
});
