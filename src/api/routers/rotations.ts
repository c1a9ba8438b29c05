import { z } from 'zod';
import { visibleIds } from '../../access/index.ts';
import { ACCOUNT_STATUSES } from '../../accounts/index.ts';
import { CAMPAIGN_STATUSES, getRotation, listRotations, requireRotation } from '../../campaigns/index.ts';
import { invalid } from '../../core/errors.ts';
import { bodyId, instantText, pageOf, pageQuery, pathId, timestampText } from '../../fields/fields.ts';
import { procedure, type RequestContext, router } from '../trpc.ts';

const count = z.number().int();
const counts = {
  contacts: count,
  active: count.meta({ description: 'Contacts still in the sequence', example: 90 }),
  sent: count,
  opened: count,
  clicked: count,
  replied: count,
  bounced: count,
  failed: count,
};

const group = z
  .object({
    id: z.number().int().meta({ description: 'That of its first campaign', example: 2 }),
    name: z.string().meta({ description: 'That of its first campaign', example: 'Spring outreach' }),
    status: z.enum(CAMPAIGN_STATUSES).meta({ description: 'active if any of its campaigns is, else paused, else draft' }),
    is_archived: z.boolean(),
    campaigns: count.meta({ description: 'One for each account', example: 3 }),
    account_count: count.meta({ description: 'Accounts that it sends from, without those that leave', example: 3 }),
    ...counts,
    created_at: timestampText.meta({ description: 'When its first campaign was created' }),
  })
  .meta({ id: 'Rotation' });

const member = z
  .object({
    campaign_id: z.number().int(),
    name: z.string().meta({ example: 'Spring outreach (zoe@example.com)' }),
    status: z.enum(CAMPAIGN_STATUSES),
    is_archived: z.boolean(),
    is_leaving: z.boolean().meta({ description: 'Its account was removed: it finishes the contacts it has emailed and gets no new ones' }),
    account_id: z.number().int(),
    account_email: z.string(),
    account_status: z.enum(ACCOUNT_STATUSES),
    ...counts,
  })
  .meta({ id: 'RotationMember' });
const withMembers = group.extend({ members: z.array(member) }).meta({ id: 'RotationWithMembers' });

const changes = () => import('./rotation-changes.ts');
const tags = ['Rotation groups'];
const target = ({ app, caller }: RequestContext, ids: Record<string, number>) => requireRotation(app.db, caller, ids.id ?? 0);
const oneRotation = z.strictObject({ id: pathId });
const accountIds = z.array(bodyId, 'must be an array of integers').min(1, 'at least one account').max(200, 'at most 200 accounts');

export const rotationsRouter = router({
  list: procedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/rotations',
        tags,
        summary: 'List rotation groups',
        description: 'Each with the sums over its campaigns. `sent` counts emails, the others contacts.',
      },
    })
    .input(z.strictObject({ campaign_id: pathId.describe('Only the group that this campaign is in').optional(), ...pageQuery }))
    .output(pageOf(group))
    .query(({ ctx: { app, caller }, input: { campaign_id, ...page } }) => listRotations(app.db, caller, page, campaign_id)),

  create: procedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/rotations',
        tags,
        summary: 'Send a campaign from several accounts',
        description:
          'Copies the campaign for each further account and distributes the contacts who have been sent nothing yet. ' +
          'What is changed in one of its campaigns later changes in all, but for the account.',
      },
      access: 'write',
      status: 201,
      errors: { 409: 'The campaign is archived or in a group already' },
    })
    .input(z.strictObject({ campaign_id: bodyId, account_ids: accountIds }))
    .output(withMembers)
    .mutation(async ({ ctx: { app, caller }, input }) => {
      if (!(await visibleIds(app.db, caller, 'campaigns', [input.campaign_id])).has(input.campaign_id))
        throw invalid(`campaign_id: there is no campaign ${input.campaign_id}`);
      return (await changes()).createRotation(app, caller, input.campaign_id, input.account_ids);
    }),

  get: procedure
    .meta({ openapi: { method: 'GET', path: '/rotations/{id}', tags, summary: 'Read a rotation group with its campaigns' }, target })
    .input(oneRotation)
    .output(withMembers)
    .query(({ ctx: { app, caller }, input }) => getRotation(app.db, caller, input.id)),

  addAccounts: procedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/rotations/{id}/accounts',
        tags,
        summary: 'Add accounts to a rotation group',
        description: 'Distributes the contacts who have been sent nothing yet over all of its accounts.',
      },
      access: 'write',
      target,
    })
    .input(oneRotation.extend({ account_ids: accountIds }))
    .output(withMembers)
    .mutation(async ({ ctx: { app, caller }, input }) => (await changes()).addToRotation(app, caller, input.id, input.account_ids)),

  removeAccount: procedure
    .meta({
      openapi: {
        method: 'DELETE',
        path: '/rotations/{id}/accounts/{account_id}',
        tags,
        summary: 'Remove an account from a rotation group',
        description: 'Contacts whom it has emailed finish the sequence there; the others go to the remaining accounts.',
      },
      access: 'write',
      status: 204,
      target,
      errors: { 409: 'It is the last account of the group' },
    })
    .input(oneRotation.extend({ account_id: pathId }))
    .output(z.void())
    .mutation(
      async ({ ctx: { app, caller }, input }) =>
        void (await (await changes()).removeFromRotation(app, caller, input.id, [input.account_id])),
    ),

  /** Removes all of the accounts or none, for the command line: REST removes one account a call. */
  removeAccounts: procedure
    .meta({ access: 'write', target })
    .input(oneRotation.extend({ account_ids: accountIds }))
    .output(withMembers)
    .mutation(async ({ ctx: { app, caller }, input }) => (await changes()).removeFromRotation(app, caller, input.id, input.account_ids)),

  activate: procedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/rotations/{id}/activate',
        tags,
        summary: 'Start all campaigns of a rotation group, now or at a given time',
        description: 'All but those whose account is archived or deleted. See `POST /campaigns/{id}/activate`.',
      },
      access: 'write',
      target,
    })
    .input(oneRotation.extend({ starts_at: instantText.nullable().optional() }))
    .output(withMembers)
    .mutation(async ({ ctx: { app, caller }, input }) => (await changes()).activateRotation(app, caller, input.id, input.starts_at)),

  pause: procedure
    .meta({
      openapi: { method: 'POST', path: '/rotations/{id}/pause', tags, summary: 'Pause all campaigns of a rotation group' },
      access: 'write',
      target,
    })
    .input(oneRotation)
    .output(withMembers)
    .mutation(async ({ ctx: { app, caller }, input }) => (await changes()).pauseRotation(app, caller, input.id)),
});
