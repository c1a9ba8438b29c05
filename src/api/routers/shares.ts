import { z } from 'zod';
import { giveTo, listShares, removeShare, requireShareManager, type SharedTable, share } from '../../access/index.ts';
import { bodyId, dataOf, pathId, timestampText } from '../../fields/fields.ts';
import { procedure, type RequestContext, router } from '../trpc.ts';

const shareList = dataOf(
  z
    .object({
      user_id: z.number().int(),
      name: z.string(),
      email: z.string(),
      granted_by: z
        .number()
        .int()
        .nullable()
        .meta({ description: 'Id of the user who shared it; null if it was shared on the command line' }),
      granted_at: timestampText,
    })
    .meta({ id: 'Share' }),
).meta({ id: 'Shares' });

const tags = ['Sharing'];

/** Returns the procedures for the shares of one type of resource. */
const sharesOf = <Table extends SharedTable>(table: Table) => {
  const target = (ctx: RequestContext, ids: Record<string, number>) => requireShareManager(ctx.app.db, ctx.caller, table, ids.id ?? 0);
  return router({
    list: procedure
      .meta({
        openapi: { method: 'GET', path: `/${table}/{id}/shares`, tags, summary: 'List who may see it besides its creator and admins' },
        target,
      })
      .input(z.strictObject({ id: pathId }))
      .output(shareList)
      .query(async ({ ctx, input }) => ({ data: await listShares(ctx.app.db, ctx.caller, table, input.id) })),

    add: procedure
      .meta({
        openapi: {
          method: 'POST',
          path: `/${table}/{id}/shares`,
          tags,
          summary: 'Share it with a member; 200 if it is already shared with them',
        },
        access: 'write',
        status: 201,
        otherStatus: 200,
        readOnly: ['name', 'email', 'granted_by', 'granted_at'],
        target,
      })
      .input(z.strictObject({ id: pathId, user_id: bodyId }))
      .output(shareList)
      .mutation(async ({ ctx, input }) => {
        const isNew = await share(ctx.app, ctx.caller, table, input.id, input.user_id);
        ctx.status = isNew ? 201 : 200;
        return { data: await listShares(ctx.app.db, ctx.caller, table, input.id) };
      }),

    give: procedure
      .meta({
        openapi: {
          method: 'PUT',
          path: `/${table}/{id}/owner`,
          tags,
          summary: 'Give it to another member, who then decides who sees it',
        },
        access: 'write',
        status: 204,
        target,
      })
      .input(z.strictObject({ id: pathId, user_id: bodyId }))
      .output(z.void())
      .mutation(({ ctx, input }) => giveTo(ctx.app, ctx.caller, table, input.id, input.user_id)),

    remove: procedure
      .meta({
        openapi: { method: 'DELETE', path: `/${table}/{id}/shares/{user_id}`, tags, summary: 'Stop sharing it with a member' },
        access: 'write',
        status: 204,
        target,
      })
      .input(z.strictObject({ id: pathId, user_id: pathId }))
      .output(z.void())
      .mutation(({ ctx, input }) => removeShare(ctx.app, ctx.caller, table, input.id, input.user_id)),
  });
};

export const sharesRouter = router({
  campaigns: sharesOf('campaigns'),
  contacts: sharesOf('contacts'),
  templates: sharesOf('templates'),
  accounts: sharesOf('accounts'),
});
