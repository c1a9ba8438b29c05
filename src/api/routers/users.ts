import { z } from 'zod';
import { disableUser, enableUser, getUser, inviteUser, listUsers, ROLES, requireInstallAdmin } from '../../access/index.ts';
import { dataOf, nameText, pathId, singleLine, timestampText } from '../../fields/fields.ts';
import { procedure, type RequestContext, router } from '../trpc.ts';

const user = z
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

const byId = z.strictObject({ id: pathId });
const tags = ['Users'];
const access = 'admin';
const target = ({ app, caller }: RequestContext, ids: Record<string, number>) => getUser(app.db, caller, ids.id ?? 0);
/** 403 comes before 404. */
const installWide = (ctx: RequestContext, ids: Record<string, number>) => {
  requireInstallAdmin(ctx.caller);
  return target(ctx, ids);
};

export const usersRouter = router({
  list: procedure
    .meta({ openapi: { method: 'GET', path: '/users', tags, summary: "The people of the key's workspace" }, access })
    .input(z.strictObject({}))
    .output(dataOf(user))
    .query(async ({ ctx }) => ({ data: await listUsers(ctx.app.db, ctx.caller) })),

  get: procedure
    .meta({ openapi: { method: 'GET', path: '/users/{id}', tags, summary: 'One person' }, access, target })
    .input(byId)
    .output(user)
    .query(({ ctx, input }) => getUser(ctx.app.db, ctx.caller, input.id)),

  add: procedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/users',
        tags,
        summary: 'Give a person access to the workspace, inviting a new one',
        description:
          'An existing account is added to the workspace; a new one gets an invite by e-mail when system mail is set. Nobody grants a role above their own.',
      },
      access,
      status: 201,
      readOnly: ['id', 'disabled', 'pending_invite', 'created_at'],
      refusals: { 409: 'The person is a member already' },
    })
    .input(z.strictObject({ name: nameText, email: singleLine(254), role: z.enum(ROLES, `must be one of ${ROLES.join(', ')}`) }))
    .output(user)
    .mutation(async ({ ctx, input }) => (await inviteUser(ctx.app, ctx.caller, input)).user),

  disable: procedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/users/{id}/disable',
        tags,
        summary: 'Disable a person everywhere and end their keys',
        description: 'Acts on every workspace: for admins of the default workspace.',
      },
      access,
      target: installWide,
      refusals: { 409: 'The person is yourself, or the last enabled admin' },
    })
    .input(byId)
    .output(user)
    .mutation(({ ctx, input }) => disableUser(ctx.app, ctx.caller, input.id)),

  enable: procedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/users/{id}/enable',
        tags,
        summary: 'Enable a person; ended keys stay ended',
        description: 'Acts on every workspace: for admins of the default workspace.',
      },
      access,
      target: installWide,
    })
    .input(byId)
    .output(user)
    .mutation(({ ctx, input }) => enableUser(ctx.app, ctx.caller, input.id)),
});
