import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { TemplateType } from './types.ts';

export const Template = defineEntity({
  name: 'Template',
  tableName: 'templates',
  properties: {
    id: p.integer().primary(),
    workspace_id: p.integer(),
    name: p.text(),
    type: p.text().$type<TemplateType>(),
    subject: p.text().nullable(),
    body_html: p.text(),
    is_archived: p.boolean().default(false),
    is_shared_to_all: p.boolean().default(true),
    created_by: p.integer().nullable(),
    created_at: p.datetime(),
    updated_at: p.datetime(),
    deleted_at: p.datetime().nullable(),
  },
});
export type Template = InferEntity<typeof Template>;
