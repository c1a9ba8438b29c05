import { z } from 'zod';
import { requireVisible } from '../../access/index.ts';
import { CAMPAIGN_STATUSES, getCampaign, listCampaigns } from '../../campaigns/index.ts';
import {
  archivedQuery,
  bodyId,
  dataOf,
  emailText,
  instantText,
  nameText,
  pageOf,
  pageQuery,
  pathId,
  trueOrFalse,
  zoneName,
} from '../../fields/fields.ts';
import { procedure, type RequestContext, router } from '../trpc.ts';
import { campaignSchema, warningSchema } from './campaign-schema.ts';

const changes = () => import('./campaign-changes.ts');
const tags = ['Campaigns'];
const target = ({ app, caller }: RequestContext, ids: Record<string, number>) => requireVisible(app.db, caller, 'campaigns', ids.id ?? 0);
const computed = [
  'id',
  'status',
  'account_email',
  'reply_to_connected',
  'starts_at',
  'is_archived',
  'step_count',
  'contact_count',
  'created_at',
  'updated_at',
];

const integer = (min: number, max: number) =>
  z.number('must be an integer').int('must be an integer').min(min, `must be ${min} or more`).max(max, `must be at most ${max}`);
const startHour = integer(0, 23).meta({ description: 'First hour of the window' });
const endHour = integer(1, 24).meta({ description: 'Hour at which the window ends; before the start: on the next day' });

/** Fields of a campaign that can be set when it is created and later. */
export const someSettings = {
  reply_to: emailText.nullable().optional(),
  timezone: zoneName.optional(),
  sending_days: z.array(integer(1, 7)).min(1, 'at least one day').max(7, 'at most 7 days').optional(),
  sending_hour_start: startHour.optional(),
  sending_hour_end: endHour.optional(),
  ab_test_enabled: trueOrFalse.optional(),
  ab_split_percent: integer(1, 99).optional(),
  sending_hour_start_b: startHour.nullable().optional(),
  sending_hour_end_b: endHour.nullable().optional(),
  is_shared_to_all: trueOrFalse.optional(),
};

const onCampaign = z.strictObject({ id: pathId });

export const campaignsRouter = router({
  list: procedure
    .meta({ openapi: { method: 'GET', path: '/campaigns', tags, summary: 'List campaigns' } })
    .input(
      z.strictObject({
        archived: archivedQuery,
        status: z.enum(CAMPAIGN_STATUSES).describe('Only campaigns with this status').optional(),
        ...pageQuery,
      }),
    )
    .output(pageOf(campaignSchema))
    .query(({ ctx: { app, caller }, input: { limit, offset, ...filter } }) => listCampaigns(app.db, caller, filter, { limit, offset })),

  create: procedure
    .meta({
      openapi: { method: 'POST', path: '/campaigns', tags, summary: 'Create a campaign as a draft' },
      access: 'write',
      status: 201,
      readOnly: computed,
    })
    .input(z.strictObject({ name: nameText, account_id: bodyId, ...someSettings }))
    .output(campaignSchema)
    .mutation(async ({ ctx: { app, caller }, input }) => (await changes()).createCampaign(app, caller, input)),

  get: procedure
    .meta({ openapi: { method: 'GET', path: '/campaigns/{id}', tags, summary: 'Read a campaign' }, target })
    .input(onCampaign)
    .output(campaignSchema)
    .query(({ ctx: { app, caller }, input }) => getCampaign(app.db, caller, input.id)),

  update: procedure
    .meta({
      openapi: {
        method: 'PATCH',
        path: '/campaigns/{id}',
        tags,
        summary: 'Change a campaign',
        description:
          'Only its creator and admins may set `is_shared_to_all`; others get 404. The two hours of window B are both integers or both null. ' +
          'In a rotation group this changes everything but `account_id` in all campaigns, as the actions below do.',
      },
      access: 'write',
      readOnly: computed,
      target,
    })
    .input(
      z.strictObject({
        id: pathId,
        name: nameText.optional(),
        account_id: bodyId.optional(),
        ...someSettings,
      }),
    )
    .output(campaignSchema)
    .mutation(async ({ ctx: { app, caller }, input: { id, ...patch } }) => (await changes()).changeCampaign(app, caller, id, patch)),

  delete: procedure
    .meta({
      openapi: { method: 'DELETE', path: '/campaigns/{id}', tags, summary: 'Delete a campaign; an admin can restore it' },
      access: 'write',
      status: 204,
      target,
    })
    .input(onCampaign)
    .output(z.void())
    .mutation(async ({ ctx: { app, caller }, input }) => (await changes()).deleteCampaign(app, caller, input.id)),

  copy: procedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/campaigns/{id}/copy',
        tags,
        summary: 'Copy a campaign as a draft',
        description: 'Copies settings, options and steps, but no contacts. Without `name`, " (copy)" is added to the name.',
      },
      access: 'write',
      status: 201,
      target,
    })
    .input(z.strictObject({ id: pathId, name: nameText.optional() }))
    .output(campaignSchema)
    .mutation(async ({ ctx: { app, caller }, input }) => (await changes()).copyAsDraft(app, caller, input.id, input.name)),

  activate: procedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/campaigns/{id}/activate',
        tags,
        summary: 'Start sending, now or at a given time',
        description:
          'Needs a step and an enrolled contact. Without `starts_at`, which must be in the future, sending starts now, or when ' +
          '`POST /campaigns/apply` planned it for a draft. ' +
          '`GET /campaigns/{id}/warnings` lists what to check first. ' +
          'In a rotation group all campaigns start, but for those whose account is archived or deleted.',
      },
      access: 'write',
      target,
    })
    .input(z.strictObject({ id: pathId, starts_at: instantText.nullable().optional() }))
    .output(campaignSchema)
    .mutation(async ({ ctx: { app, caller }, input }) => (await changes()).activateCampaign(app, caller, input.id, input.starts_at)),

  warnings: procedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/campaigns/{id}/warnings',
        tags,
        summary: 'List what to check before a campaign is activated',
        description: 'First what keeps emails from leaving, such as an unknown placeholder.',
      },
      isHeavy: true,
      target,
    })
    .input(onCampaign)
    .output(dataOf(warningSchema))
    .query(async ({ ctx, input }) => ({ data: await (await import('./campaign-warnings.ts')).warningsOf(ctx, input.id) })),

  pause: procedure
    .meta({ openapi: { method: 'POST', path: '/campaigns/{id}/pause', tags, summary: 'Stop sending' }, access: 'write', target })
    .input(onCampaign)
    .output(campaignSchema)
    .mutation(async ({ ctx: { app, caller }, input }) => (await changes()).pauseCampaign(app, caller, input.id)),

  archive: procedure
    .meta({
      openapi: { method: 'POST', path: '/campaigns/{id}/archive', tags, summary: 'Pause a campaign and hide it from the default list' },
      access: 'write',
      target,
    })
    .input(onCampaign)
    .output(campaignSchema)
    .mutation(async ({ ctx: { app, caller }, input }) => (await changes()).archiveCampaign(app, caller, input.id)),

  unarchive: procedure
    .meta({
      openapi: { method: 'POST', path: '/campaigns/{id}/unarchive', tags, summary: 'Unarchive a campaign' },
      access: 'write',
      target,
    })
    .input(onCampaign)
    .output(campaignSchema)
    .mutation(async ({ ctx: { app, caller }, input }) => (await changes()).unarchiveCampaign(app, caller, input.id)),
});
