import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { Format } from './notice.ts';

export const Webhook = defineEntity({
  name: 'Webhook',
  tableName: 'webhooks',
  properties: {
    id: p.integer().primary(),
    workspace_id: p.integer(),
    name: p.text(),
    url: p.text(),
    /** Empty for every type except the high-volume ones. */
    types: p.array().columnType('text[]').$type<string[]>(),
    /** Empty for all campaigns that its creator can see. */
    campaign_ids: p
      .array<number>((id) => Number(id))
      .columnType('integer[]')
      .$type<number[]>(),
    include_body: p.boolean().default(false),
    format: p.text().$type<Format>().default('json'),
    /** Empty for replies with any label and none. */
    labels: p.array().columnType('text[]').$type<string[]>().default([]),
    /** Hours in the zone of the workspace in which its messages wait, such as `22-7`. */
    quiet_hours: p.text().nullable(),
    is_enabled: p.boolean().default(true),
    disabled_reason: p.text().nullable(),
    secret: p.text(),
    previous_secret: p.text().nullable(),
    previous_secret_until: p.datetime().nullable(),
    last_success_at: p.datetime().nullable(),
    last_failure_at: p.datetime().nullable(),
    consecutive_failures: p.integer().default(0),
    failing_since: p.datetime().nullable(),
    rests_until: p.datetime().nullable(),
    created_by: p.integer().nullable(),
    created_at: p.datetime(),
    updated_at: p.datetime(),
    deleted_at: p.datetime().nullable(),
  },
});
export type Webhook = InferEntity<typeof Webhook>;
