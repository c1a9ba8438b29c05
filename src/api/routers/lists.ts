import { z } from 'zod';
import { requireVisible } from '../../access/index.ts';
import {
  addMembers,
  createList,
  deleteList,
  getList,
  type ListRow,
  listLists,
  listMembers,
  removeMember,
  renameList,
} from '../../contacts/index.ts';
import { bodyId, nameText, pageOf, pageQuery, pathId, timestampText } from '../../fields/fields.ts';
import { procedure, type RequestContext, router } from '../trpc.ts';

const listSchema = z
  .object({
    id: z.number().int(),
    name: z.string().meta({ example: 'Prospects' }),
    contact_count: z.number().int(),
    created_at: timestampText,
    updated_at: timestampText.nullable(),
  })
  .meta({ id: 'ContactList' }) satisfies z.ZodType<ListRow>;

const memberSchema = z.object({ contact_id: z.number().int(), name: z.string(), email: z.string() }).meta({ id: 'ListMember' });

const tags = ['Lists'];
const target = ({ app, caller }: RequestContext, ids: Record<string, number>) => requireVisible(app.db, caller, 'lists', ids.id ?? 0);
const readOnly = ['id', 'contact_count', 'created_at', 'updated_at'];

export const listsRouter = router({
  list: procedure
    .meta({ openapi: { method: 'GET', path: '/lists', tags, summary: 'List lists' } })
    .input(z.strictObject(pageQuery))
    .output(pageOf(listSchema))
    .query(({ ctx: { app, caller }, input }) => listLists(app.db, caller, input)),

  create: procedure
    .meta({ openapi: { method: 'POST', path: '/lists', tags, summary: 'Create a list' }, access: 'write', status: 201, readOnly })
    .input(z.strictObject({ name: nameText }))
    .output(listSchema)
    .mutation(({ ctx: { app, caller }, input }) => createList(app, caller, input.name)),

  get: procedure
    .meta({ openapi: { method: 'GET', path: '/lists/{id}', tags, summary: 'Read a list' }, target })
    .input(z.strictObject({ id: pathId }))
    .output(listSchema)
    .query(({ ctx: { app, caller }, input }) => getList(app.db, caller, input.id)),

  update: procedure
    .meta({ openapi: { method: 'PATCH', path: '/lists/{id}', tags, summary: 'Rename a list' }, access: 'write', readOnly, target })
    .input(z.strictObject({ id: pathId, name: nameText.optional() }))
    .output(listSchema)
    .mutation(({ ctx: { app, caller }, input }) => renameList(app, caller, input.id, input.name)),

  delete: procedure
    .meta({
      openapi: { method: 'DELETE', path: '/lists/{id}', tags, summary: 'Delete a list, but not its contacts' },
      access: 'write',
      status: 204,
      target,
    })
    .input(z.strictObject({ id: pathId }))
    .output(z.void())
    .mutation(({ ctx: { app, caller }, input }) => deleteList(app, caller, input.id)),

  members: procedure
    .meta({ openapi: { method: 'GET', path: '/lists/{id}/members', tags, summary: 'List the contacts on a list' }, target })
    .input(z.strictObject({ id: pathId, ...pageQuery }))
    .output(pageOf(memberSchema))
    .query(({ ctx: { app, caller }, input: { id, ...page } }) => listMembers(app.db, caller, id, page)),

  addMembers: procedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/lists/{id}/members',
        tags,
        summary: 'Add contacts to a list',
        description: 'Contacts that are on the list already, deleted, unknown or hidden from the key are skipped without error.',
      },
      access: 'write',
      target,
    })
    .input(z.strictObject({ id: pathId, contact_ids: z.array(bodyId).max(10_000, 'at most 10,000') }))
    .output(z.object({ added: z.number().int() }))
    .mutation(async ({ ctx: { app, caller }, input }) => ({ added: await addMembers(app, caller, input.id, input.contact_ids) })),

  removeMember: procedure
    .meta({
      openapi: { method: 'DELETE', path: '/lists/{id}/members/{contact_id}', tags, summary: 'Remove a contact from a list' },
      access: 'write',
      status: 204,
      target,
    })
    .input(z.strictObject({ id: pathId, contact_id: pathId }))
    .output(z.void())
    .mutation(({ ctx: { app, caller }, input }) => removeMember(app, caller, input.id, input.contact_id)),
});
