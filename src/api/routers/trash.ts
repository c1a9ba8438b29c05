import { z } from 'zod';
import { listTrash, restoreFromTrash } from '../../access/index.ts';
import { bodyId, pageOf, pageQuery, timestampText } from '../../fields/fields.ts';
import { trashKinds } from '../../maintenance/trash-kinds.ts';
import { procedure, router } from '../trpc.ts';

const restored = {
  type: z.string().meta({ example: 'campaigns' }),
  id: z.number().int(),
  name: z.string().meta({ description: 'Of contacts and accounts, the address', example: 'Spring outreach' }),
  workspace_id: z.number().int().meta({ example: 1 }),
};

const tags = ['Trash'];
const access = 'admin';
const TYPES = trashKinds.map(({ type }) => type);
const kind = z.enum(TYPES, `must be one of ${TYPES.join(', ')}`).meta({ example: 'campaigns' });

export const trashRouter = router({
  list: procedure
    .meta({
      openapi: { method: 'GET', path: '/trash', tags, summary: 'List deleted records that can be restored, latest first' },
      access,
      isHeavy: true,
    })
    .input(
      z.strictObject({
        type: kind.describe('Only records of this type').optional(),
        ...pageQuery,
      }),
    )
    .output(
      pageOf(
        z
          .object({ ...restored, workspace_name: z.string().meta({ example: 'Default' }), deleted_at: timestampText })
          .meta({ id: 'DeletedRecord' }),
      ),
    )
    .query(({ ctx: { app, caller }, input: { type, ...page } }) =>
      listTrash(app.db, caller, trashKinds, type === undefined ? {} : { type }, page),
    ),

  restore: procedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/trash/restore',
        tags,
        summary: 'Restore a deleted record',
        description: 'Campaigns and accounts are restored paused.',
      },
      access,
      errors: { 404: 'No such record is in the trash', 409: 'Another record has taken its place' },
    })
    .input(z.strictObject({ type: kind, id: bodyId }))
    .output(z.object(restored).meta({ id: 'RestoredRecord' }))
    .mutation(({ ctx: { app, caller }, input }) => restoreFromTrash(app, caller, trashKinds, input.type, input.id)),
});
