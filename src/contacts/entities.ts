import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { FieldType } from './field-types.ts';
import type { Verification } from './verification.ts';

export const Contact = defineEntity({
  name: 'Contact',
  tableName: 'contacts',
  properties: {
    id: p.integer().primary(),
    workspace_id: p.integer(),
    name: p.text().default(''),
    email: p.text(),
    company: p.text().nullable(),
    custom_fields: p.json<Record<string, string>>(),
    verification: p.json<Verification>().nullable(),
    is_archived: p.boolean().default(false),
    is_shared_to_all: p.boolean().default(true),
    created_by: p.integer().nullable(),
    created_at: p.datetime(),
    updated_at: p.datetime(),
    deleted_at: p.datetime().nullable(),
  },
});
export type Contact = InferEntity<typeof Contact>;

export const List = defineEntity({
  name: 'List',
  tableName: 'lists',
  properties: {
    id: p.integer().primary(),
    workspace_id: p.integer(),
    name: p.text(),
    created_by: p.integer().nullable(),
    created_at: p.datetime(),
    updated_at: p.datetime().nullable(),
    deleted_at: p.datetime().nullable(),
  },
});
export type List = InferEntity<typeof List>;

export const CustomField = defineEntity({
  name: 'CustomField',
  tableName: 'custom_fields',
  properties: {
    id: p.integer().primary(),
    workspace_id: p.integer(),
    name: p.text(),
    key: p.text(),
    field_type: p.text().$type<FieldType>(),
    created_at: p.datetime(),
    deleted_at: p.datetime().nullable(),
  },
});
export type CustomField = InferEntity<typeof CustomField>;
