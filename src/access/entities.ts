import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { Role } from './caller.ts';

export const Workspace = defineEntity({
  name: 'Workspace',
  tableName: 'workspaces',
  properties: {
    id: p.integer().primary(),
    name: p.text(),
    is_default: p.boolean().default(false),
    timezone: p.text().nullable(),
    archived_at: p.datetime().nullable(),
    created_at: p.datetime(),
    updated_at: p.datetime(),
  },
});
export type Workspace = InferEntity<typeof Workspace>;

export const User = defineEntity({
  name: 'User',
  tableName: 'users',
  properties: {
    id: p.integer().primary(),
    name: p.text(),
    email: p.text(),
    disabled_at: p.datetime().nullable(),
    invite_hash: p.blob().nullable(),
    invited_at: p.datetime().nullable(),
    created_at: p.datetime(),
    updated_at: p.datetime(),
  },
});
export type User = InferEntity<typeof User>;

export const Membership = defineEntity({
  name: 'Membership',
  tableName: 'memberships',
  properties: {
    workspace_id: p.integer().primary(),
    user_id: p.integer().primary(),
    role: p.text().$type<Role>(),
    created_at: p.datetime(),
  },
});
export type Membership = InferEntity<typeof Membership>;

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
    created_at: p.datetime(),
    revoked_at: p.datetime().nullable(),
  },
});
export type ApiKey = InferEntity<typeof ApiKey>;
