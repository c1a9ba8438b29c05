import { z } from 'zod';
import { findMember, getHistoryEntry, type HistoryFilter, listHistory } from '../../access/index.ts';
import { invalid } from '../../core/errors.ts';
import { beforeQuery, dataOf, instantText, pathId, singleLine, timestampText } from '../../fields/fields.ts';
import { procedure, router } from '../trpc.ts';

const fields = {
  id: z.number().int().meta({ example: 4711 }),
  at: timestampText,
  workspace_id: z.number().int().nullable().meta({ example: 1 }),
  actor: z.enum(['user', 'cli', 'system', 'recipient']).meta({ description: 'cli: the operator; system: the daemon' }),
  user_id: z.number().int().nullable(),
  email: z.string().nullable().meta({ description: 'Address of the user', example: 'zoe@example.com' }),
  api_key_id: z.number().int().nullable(),
  ip: z.string().nullable().meta({ example: '203.0.113.9' }),
  action: z.string().meta({ example: 'campaign.pause' }),
  resource_type: z.string().meta({ example: 'campaign' }),
  resource_id: z.number().int().nullable().meta({ example: 7 }),
  changes: z.record(z.string(), z.unknown()).meta({ example: { status: ['active', 'paused'] } }),
};
const entry = z.object(fields).meta({ id: 'AuditEntry' });
const shown = z
  .object({
    ...fields,
    undo_refused: z.string().nullable().meta({ description: "Why the change can't be undone; null if it can", example: null }),
  })
  .meta({ id: 'ShownChange' });

/** Undoing a change loads the code that changes every kind of record; listing changes doesn't. */
const changes = () => import('../../maintenance/undo-change.ts');

const RESOURCE = /^([A-Za-z][A-Za-z_-]*)\/([1-9]\d{0,14})$/;

function resourceOf(text: string): { type: string; id: number } {
  const [, type, id] = RESOURCE.exec(text) ?? [];
  if (type === undefined || id === undefined) throw invalid('resource: must be TYPE/ID, for example campaign/7');
  return { type, id: Number(id) };
}

export const historyRouter = router({
  list: procedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/history',
        tags: ['Audit log'],
        summary: 'List who changed what, newest first',
        description: 'For the next page, pass the id of the last entry as `before`.',
      },
      access: 'admin',
      errors: { 404: 'No such user' },
    })
    .input(
      z.strictObject({
        user: singleLine(254).meta({ description: 'Only changes by the user with this address', example: 'zoe@example.com' }).optional(),
        resource: singleLine(100)
          .meta({ pattern: RESOURCE.source, description: 'Only changes of this resource', example: 'campaign/7' })
          .optional(),
        since: instantText.describe('Only changes at or after this time').optional(),
        ...beforeQuery,
      }),
    )
    .output(dataOf(entry))
    .query(async ({ ctx, input: { user, resource, since, before, limit } }) => {
      const filter: HistoryFilter = {
        limit,
        ...(resource === undefined ? {} : { resource: resourceOf(resource) }),
        ...(user === undefined ? {} : { userId: (await findMember(ctx.app.db, ctx.caller, user)).id }),
        ...(since === undefined ? {} : { since }),
        ...(before === undefined ? {} : { before }),
      };
      return { data: await listHistory(ctx.app.db, ctx.caller, filter) };
    }),

  get: procedure
    .meta({
      openapi: { method: 'GET', path: '/history/{id}', tags: ['Audit log'], summary: 'Read a change, and whether it can be undone' },
      access: 'admin',
      target: ({ app, caller }, ids) => getHistoryEntry(app.db, caller, ids.id ?? 0),
    })
    .input(z.strictObject({ id: pathId }))
    .output(shown)
    .query(async ({ ctx: { app, caller }, input }) => (await changes()).showChange(app, caller, input.id)),

  undo: procedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/history/{id}/undo',
        tags: ['Audit log'],
        summary: 'Undo a change of a campaign, a step, a contact or an account',
        description: 'Gives its fields the values that they had before, as a change of its own.',
      },
      access: 'admin',
      errors: { 409: 'It is not such a change, its fields were changed again, or an email was sent with them since' },
      target: ({ app, caller }, ids) => getHistoryEntry(app.db, caller, ids.id ?? 0),
    })
    .input(z.strictObject({ id: pathId }))
    .output(shown)
    .mutation(async ({ ctx: { app, caller }, input }) => (await changes()).undoChange(app, caller, input.id)),
});
