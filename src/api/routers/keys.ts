import { z } from 'zod';
import { createMemberKey, listKeys, requireKey, revokeKey, SCOPES } from '../../access/index.ts';
import { bodyId, dataOf, filledLine, instantText, pathId, timestampText } from '../../fields/fields.ts';
import { procedure, router } from '../trpc.ts';

const scopes = z
  .array(z.enum(SCOPES))
  .min(1)
  .max(SCOPES.length)
  .meta({ description: 'What the key may do of what its user may', example: ['read', 'write'] });

const key = z
  .object({
    id: z.number().int().meta({ example: 5 }),
    name: z.string().meta({ example: 'nightly sync' }),
    prefix: z.string().meta({ description: 'The first characters of the key', example: 'ork_EXAM' }),
    user_id: z.number().int(),
    email: z.string().meta({ description: 'Address of the user that it acts as', example: 'zoe@example.com' }),
    workspace_id: z.number().int().meta({ example: 1 }),
    workspace_name: z.string().meta({ example: 'Default' }),
    scopes,
    created_at: timestampText,
    last_used_at: timestampText.nullable().meta({ description: 'To the hour' }),
    expires_at: timestampText.nullable().meta({ example: null }),
    revoked_at: timestampText.nullable().meta({ example: null }),
  })
  .meta({ id: 'ApiKey' });

const created = z
  .object({
    id: z.number().int().meta({ example: 5 }),
    name: z.string().meta({ example: 'nightly sync' }),
    user_id: z.number().int(),
    workspace_id: z.number().int().meta({ example: 1 }),
    scopes,
    key: z.string().meta({ description: 'Shown only once', example: 'ork_EXAMPLE' }),
    expires_at: z.string().nullable().meta({ description: 'RFC 3339', example: null }),
  })
  .meta({ id: 'CreatedApiKey' });

const tags = ['API keys'];
const access = 'admin';

export const keysRouter = router({
  list: procedure
    .meta({ openapi: { method: 'GET', path: '/keys', tags, summary: 'List API keys, revoked ones included' }, access })
    .input(z.strictObject({}))
    .output(dataOf(key))
    .query(async ({ ctx }) => ({ data: await listKeys(ctx.app.db, ctx.caller) })),

  create: procedure
    .meta({
      openapi: { method: 'POST', path: '/keys', tags, summary: 'Create an API key for a member of the workspace' },
      access,
      status: 201,
      errors: { 409: 'The user is disabled' },
    })
    .input(
      z.strictObject({
        name: filledLine(100).meta({ example: 'nightly sync' }),
        user_id: bodyId,
        expires_at: instantText.nullable().default(null).describe('From when on it is refused; null: never'),
        scopes: scopes.default([...SCOPES]),
      }),
    )
    .output(created)
    .mutation(async ({ ctx: { app, caller }, input: { name, user_id, expires_at, scopes } }) => {
      const { id, key: secret } = await createMemberKey(app, caller, { name, userId: user_id, expiresAt: expires_at, scopes });
      return { id, name, user_id, workspace_id: caller.workspaceId, scopes, key: secret, expires_at: expires_at?.toISOString() ?? null };
    }),

  revoke: procedure
    .meta({
      openapi: { method: 'DELETE', path: '/keys/{id}', tags, summary: 'Revoke an API key; its next request fails' },
      access,
      status: 204,
      target: ({ app, caller }, ids) => requireKey(app.db, caller, ids.id ?? 0),
    })
    .input(z.strictObject({ id: pathId }))
    .output(z.void())
    .mutation(({ ctx, input }) => revokeKey(ctx.app, ctx.caller, input.id)),
});
