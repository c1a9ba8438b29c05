import { z } from 'zod';
import { requireVisible } from '../../access/index.ts';
import {
  archivedQuery,
  htmlText,
  nameText,
  pageOf,
  pageQuery,
  pathId,
  singleLine,
  timestampText,
  trueOrFalse,
} from '../../fields/fields.ts';
import {
  changeTemplate,
  createTemplate,
  deleteTemplate,
  getTemplate,
  listTemplates,
  setTemplateArchived,
  TEMPLATE_TYPES,
  type TemplateRow,
} from '../../templates/index.ts';
import { procedure, type RequestContext, router } from '../trpc.ts';

const templateSchema = z
  .object({
    id: z.number().int(),
    name: z.string().meta({ example: 'Introduction' }),
    type: z.enum(TEMPLATE_TYPES),
    subject: z.string().nullable(),
    body_html: z.string(),
    is_archived: z.boolean(),
    is_shared_to_all: z.boolean(),
    created_at: timestampText,
    updated_at: timestampText,
  })
  .meta({ id: 'Template' }) satisfies z.ZodType<TemplateRow>;

const tags = ['Templates'];
const target = ({ app, caller }: RequestContext, ids: Record<string, number>) => requireVisible(app.db, caller, 'templates', ids.id ?? 0);
const readOnly = ['id', 'is_archived', 'created_at', 'updated_at'];
const onTemplate = z.strictObject({ id: pathId });
const type = z.enum(TEMPLATE_TYPES, 'must be template or signature');

export const templatesRouter = router({
  list: procedure
    .meta({ openapi: { method: 'GET', path: '/templates', tags, summary: 'List templates and signatures' } })
    .input(z.strictObject({ type: type.describe('Only templates, or only signatures').optional(), archived: archivedQuery, ...pageQuery }))
    .output(pageOf(templateSchema))
    .query(({ ctx: { app, caller }, input: { limit, offset, ...filter } }) => listTemplates(app.db, caller, filter, { limit, offset })),

  create: procedure
    .meta({
      openapi: { method: 'POST', path: '/templates', tags, summary: 'Create a template or a signature' },
      access: 'write',
      status: 201,
      readOnly,
    })
    .input(
      z.strictObject({
        name: nameText,
        body_html: htmlText,
        type: type.default('template'),
        subject: singleLine(500).nullable().default(null),
        is_shared_to_all: trueOrFalse.default(true),
      }),
    )
    .output(templateSchema)
    .mutation(({ ctx: { app, caller }, input }) => createTemplate(app, caller, input)),

  get: procedure
    .meta({ openapi: { method: 'GET', path: '/templates/{id}', tags, summary: 'Read a template' }, target })
    .input(onTemplate)
    .output(templateSchema)
    .query(({ ctx: { app, caller }, input }) => getTemplate(app.db, caller, input.id)),

  update: procedure
    .meta({
      openapi: { method: 'PATCH', path: '/templates/{id}', tags, summary: 'Change a template' },
      access: 'write',
      readOnly: [...readOnly, 'type'],
      target,
    })
    .input(
      z.strictObject({
        id: pathId,
        name: nameText.optional(),
        subject: singleLine(500).nullable().optional(),
        body_html: htmlText.optional(),
        is_shared_to_all: trueOrFalse.optional(),
      }),
    )
    .output(templateSchema)
    .mutation(({ ctx: { app, caller }, input: { id, ...patch } }) => changeTemplate(app, caller, id, patch)),

  delete: procedure
    .meta({
      openapi: { method: 'DELETE', path: '/templates/{id}', tags, summary: 'Delete a template' },
      access: 'write',
      status: 204,
      target,
    })
    .input(onTemplate)
    .output(z.void())
    .mutation(({ ctx: { app, caller }, input }) => deleteTemplate(app, caller, input.id)),

  archive: procedure
    .meta({ openapi: { method: 'POST', path: '/templates/{id}/archive', tags, summary: 'Archive a template' }, access: 'write', target })
    .input(onTemplate)
    .output(templateSchema)
    .mutation(({ ctx: { app, caller }, input }) => setTemplateArchived(app, caller, input.id, true)),

  unarchive: procedure
    .meta({
      openapi: { method: 'POST', path: '/templates/{id}/unarchive', tags, summary: 'Unarchive a template' },
      access: 'write',
      target,
    })
    .input(onTemplate)
    .output(templateSchema)
    .mutation(({ ctx: { app, caller }, input }) => setTemplateArchived(app, caller, input.id, false)),
});
