import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { Scope } from './caller.ts';

export const Workspace = defineEntity({
  name: 'Workspace',
  tableName: 'workspaces',
  properties: {
    id: p.integer().primary(),
    name: p.text(),
    is_default: p.boolean().default(false),
    /** IANA time zone of new campaigns; null for UTC. */
    timezone: p.text().nullable(),
    postal_address: p.text().nullable(),
    footer_html: p.text().nullable(),
    /** Labels of replies that reports count as positive. */
    positive_labels: p.array().columnType('text[]').$type<string[]>().default(['interested', 'meeting']),
    archived_at: p.datetime().nullable(),
    created_at: p.datetime(),
    updated_at: p.datetime(),
  },
});
export type Workspace = InferEntity<typeof Workspace>;

export const ApiKey = defineEntity({
  name: 'ApiKey',
  tableName: 'api_keys',
  properties: {
    id: p.integer().primary(),
    workspace_id: p.integer(),
    user_id: p.integer(),
    name: p.text(),
    prefix: p.text(),
    hash: p.blob(),
    scopes: p.array().columnType('text[]').$type<Scope[]>(),
    created_at: p.datetime(),
    expires_at: p.datetime().nullable(),
    last_used_at: p.datetime().nullable(),
    revoked_at: p.datetime().nullable(),
  },
});
export type ApiKey = InferEntity<typeof ApiKey>;
