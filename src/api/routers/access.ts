import { z } from 'zod';
import { getWorkspace, getWorkspaceFooter, ROLES, SCOPES, type WorkspaceRow } from '../../access/index.ts';
import { filledLine, nameText, timestampText, zoneName } from '../../fields/fields.ts';
import { procedure, router } from '../trpc.ts';

const me = z
  .object({
    user_id: z.number().int(),
    name: z.string().meta({ example: 'Zoe Miller' }),
    email: z.string().meta({ example: 'zoe@example.com' }),
    role: z.enum(ROLES),
    api_key_id: z.number().int(),
  })
  .meta({ id: 'Me' });

const workspace = z
  .object({
    id: z.number().int(),
    name: z.string().meta({ example: 'Default' }),
    is_default: z.boolean(),
    role: z.enum(ROLES),
    timezone: z.string().nullable(),
    positive_labels: z
      .array(z.string())
      .meta({ description: 'Labels of replies that reports count as positive', example: ['interested', 'meeting'] }),
    created_at: timestampText,
    updated_at: timestampText,
  })
  .meta({ id: 'Workspace' }) satisfies z.ZodType<WorkspaceRow>;

const settings = workspace.extend({ postal_address: z.string().nullable(), footer_html: z.string().nullable() });

export const accessRouter = router({
  me: procedure
    .meta({ openapi: { method: 'GET', path: '/me', tags: ['Identity'], summary: 'The owner of the key' } })
    .input(z.strictObject({}))
    .output(me)
    .query(({ ctx: { identity } }) => ({
      user_id: identity.caller.userId ?? 0,
      name: identity.name,
      email: identity.email,
      role: identity.caller.role,
      api_key_id: identity.caller.apiKeyId ?? 0,
    })),

  /** The scopes of the key. Served under /trpc only: the fields of /me are fixed. */
  scopes: procedure
    .meta({})
    .input(z.strictObject({}))
    .output(z.object({ scopes: z.array(z.enum(SCOPES)) }))
    .query(({ ctx: { caller } }) => ({ scopes: [...(caller.scopes ?? SCOPES)] })),

  workspace: procedure
    .meta({ openapi: { method: 'GET', path: '/workspace', tags: ['Identity'], summary: 'The workspace of the key' } })
    .input(z.strictObject({}))
    .output(workspace)
    .query(({ ctx }) => getWorkspace(ctx.app.db, ctx.caller)),

  /** Reads the workspace of the key with the sender details in its emails. Served under /trpc only, like `setWorkspace`. */
  workspaceSettings: procedure
    .meta({})
    .input(z.strictObject({}))
    .output(settings)
    .query(async ({ ctx: { app, caller } }) => {
      const [row, footer] = await Promise.all([getWorkspace(app.db, caller), getWorkspaceFooter(app.db, caller)]);
      return { ...row, ...footer };
    }),

  /** Changes the workspace of the key. Served under /trpc only: integrations can't change their workspace. */
  setWorkspace: procedure
    .meta({ access: 'admin' })
    .input(
      z.strictObject({
        name: nameText.optional(),
        timezone: zoneName.optional(),
        postal_address: z.string('must be a string').nullable().optional(),
        footer_html: z.string('must be a string').nullable().optional(),
        positive_labels: z.array(filledLine(50)).max(50).optional(),
      }),
    )
    .output(settings)
    .mutation(async ({ ctx, input }) => (await import('./change-workspace.ts')).changeWorkspace(ctx.app, ctx.caller, input)),
});
