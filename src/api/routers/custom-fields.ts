import { z } from 'zod';
import { requireVisible } from '../../access/index.ts';
import { type CustomFieldRow, createCustomField, deleteCustomField, FIELD_TYPES, listCustomFields } from '../../contacts/index.ts';
import { dataOf, nameText, pathId, timestampText } from '../../fields/fields.ts';
import { procedure, router } from '../trpc.ts';

const customFieldSchema = z
  .object({
    id: z.number().int(),
    name: z.string().meta({ example: 'Favourite colour' }),
    key: z.string().meta({ example: 'favourite_colour' }),
    field_type: z.enum(FIELD_TYPES),
    created_at: timestampText,
  })
  .meta({ id: 'CustomField' }) satisfies z.ZodType<CustomFieldRow>;

const tags = ['Custom fields'];

export const customFieldsRouter = router({
  list: procedure
    .meta({ openapi: { method: 'GET', path: '/custom-fields', tags, summary: 'List custom fields' } })
    .input(z.strictObject({}))
    .output(dataOf(customFieldSchema))
    .query(async ({ ctx: { app, caller } }) => ({ data: await listCustomFields(app.db, caller) })),

  create: procedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/custom-fields',
        tags,
        summary: 'Create a custom field',
        description: 'The key is a slug of the name, made unique: a second field of the same name gets a key of its own.',
      },
      access: 'write',
      status: 201,
      readOnly: ['id', 'key', 'created_at'],
    })
    .input(z.strictObject({ name: nameText, field_type: z.enum(FIELD_TYPES, `must be one of ${FIELD_TYPES.join(', ')}`).default('text') }))
    .output(customFieldSchema)
    .mutation(({ ctx: { app, caller }, input }) => createCustomField(app, caller, input)),

  delete: procedure
    .meta({
      openapi: { method: 'DELETE', path: '/custom-fields/{id}', tags, summary: 'Delete a custom field and hide its values' },
      access: 'write',
      status: 204,
      target: ({ app, caller }, ids) => requireVisible(app.db, caller, 'custom_fields', ids.id ?? 0),
    })
    .input(z.strictObject({ id: pathId }))
    .output(z.void())
    .mutation(({ ctx: { app, caller }, input }) => deleteCustomField(app, caller, input.id)),
});
