import { z } from 'zod';
import {
  changeRole,
  disableUser,
  enableUser,
  getUser,
  inviteUser,
  listUsers,
  ROLES,
  removeUser,
  renewInvite,
  requireInstallAdmin,
} from '../../access/index.ts';
import { dataOf, emailText, nameText, pathId, timestampText } from '../../fields/fields.ts';
import { procedure, type RequestContext, router } from '../trpc.ts';

/** A user, as the API shows it. */
export const userSchema = z
  .object({
    id: z.number().int(),
    name: z.string().meta({ example: 'Zoe Miller' }),
    email: z.string().meta({ example: 'zoe@example.com' }),
    role: z.enum(ROLES),
    disabled: z.boolean(),
    pending_invite: z.boolean(),
    created_at: timestampText,
  })
  .meta({ id: 'User' });

const invitation = z
  .object({
    user_id: z.number().int(),
    is_emailed: z.boolean().meta({ example: false }),
    invite_link: z
      .string()
      .nullable()
      .meta({ example: 'https://outreach.example.com/invite/EXAMPLE', description: 'null if it was emailed' }),
  })
  .meta({ id: 'Invitation' });

const removed = z
  .object({
    user_id: z.number().int(),
    revoked_keys: z.array(z.number().int()).meta({ description: 'Ids of their keys in the workspace', example: [5] }),
    removed_shares: z.number().int().meta({ description: 'Records that were shared with them', example: 2 }),
  })
  .meta({ id: 'RemovedMember' });

const byId = z.strictObject({ id: pathId });
const tags = ['Users'];
const access = 'admin';
const role = z.enum(ROLES, `must be one of ${ROLES.join(', ')}`);
const target = ({ app, caller }: RequestContext, ids: Record<string, number>) => getUser(app.db, caller, ids.id ?? 0);
/** Checks 403 before 404. */
const installWide = (ctx: RequestContext, ids: Record<string, number>) => {
  requireInstallAdmin(ctx.caller);
  return target(ctx, ids);
};

export const usersRouter = router({
  list: procedure
    .meta({ openapi: { method: 'GET', path: '/users', tags, summary: 'List the members of the workspace' }, access })
    .input(z.strictObject({}))
    .output(dataOf(userSchema))
    .query(async ({ ctx }) => ({ data: await listUsers(ctx.app.db, ctx.caller) })),

  get: procedure
    .meta({ openapi: { method: 'GET', path: '/users/{id}', tags, summary: 'Read a user' }, access, target })
    .input(byId)
    .output(userSchema)
    .query(({ ctx, input }) => getUser(ctx.app.db, ctx.caller, input.id)),

  add: procedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/users',
        tags,
        summary: 'Add a user to the workspace; a new one is invited',
        description:
          'An existing user is added; a new one is invited by email, or, if system email is not set up, with the link that POST /users/{id}/invite returns. Nobody can grant a role above their own.',
      },
      access,
      status: 201,
      readOnly: ['id', 'disabled', 'pending_invite', 'created_at'],
      errors: { 409: 'The user is already a member' },
    })
    .input(z.strictObject({ name: nameText, email: emailText, role }))
    .output(userSchema)
    .mutation(async ({ ctx, input }) => (await inviteUser(ctx.app, ctx.caller, input)).user),

  invite: procedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/users/{id}/invite',
        tags,
        summary: 'Renew an invitation that was not accepted yet; the old link stops working',
        description:
          'It is emailed, every ten minutes at most. Where system email is not set up, or fails, the response has the link, only this once.',
      },
      access,
      callsOut: true,
      target,
      errors: { 409: 'The user has no open invitation to this workspace' },
    })
    .input(byId)
    .output(invitation)
    .mutation(async ({ ctx, input }) => {
      const { inviteLink } = await renewInvite(ctx.app, ctx.caller, input.id);
      return { user_id: input.id, is_emailed: inviteLink === null, invite_link: inviteLink };
    }),

  changeRole: procedure
    .meta({
      openapi: {
        method: 'PATCH',
        path: '/users/{id}',
        tags,
        summary: "Change a member's role in the workspace",
        description: 'It applies from their next request. Nobody can grant a role above their own.',
      },
      access,
      target,
      readOnly: ['name', 'email', 'disabled', 'pending_invite', 'created_at'],
      errors: { 409: 'The user is the last enabled admin of the workspace' },
    })
    .input(z.strictObject({ id: pathId, role }))
    .output(userSchema)
    .mutation(({ ctx, input }) => changeRole(ctx.app, ctx.caller, input.id, input.role)),

  remove: procedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/users/{id}/remove',
        tags,
        summary: 'Remove a member from the workspace',
        description: 'Their keys of this workspace are revoked and shares with them removed; what they created stays.',
      },
      access,
      target,
      errors: { 409: 'The user is the last enabled admin of the workspace' },
    })
    .input(byId)
    .output(removed)
    .mutation(async ({ ctx, input }) => {
      const { revokedKeys, shares } = await removeUser(ctx.app, ctx.caller, input.id);
      return { user_id: input.id, revoked_keys: revokedKeys, removed_shares: shares };
    }),

  disable: procedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/users/{id}/disable',
        tags,
        summary: 'Disable a user in every workspace and revoke their keys',
        description: 'For admins of the default workspace.',
      },
      access,
      target: installWide,
      errors: { 409: 'The user is you, or the last enabled admin' },
    })
    .input(byId)
    .output(userSchema)
    .mutation(({ ctx, input }) => disableUser(ctx.app, ctx.caller, input.id)),

  enable: procedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/users/{id}/enable',
        tags,
        summary: 'Enable a user; revoked keys stay revoked',
        description: 'For admins of the default workspace.',
      },
      access,
      target: installWide,
    })
    .input(byId)
    .output(userSchema)
    .mutation(({ ctx, input }) => enableUser(ctx.app, ctx.caller, input.id)),
});
