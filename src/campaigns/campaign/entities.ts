import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { columnsOf } from '../../db/option-columns.ts';
import { CAMPAIGN_OPTIONS } from '../options/campaign-options.ts';
import type { CampaignStatus } from '../states/campaign.ts';

export const Campaign = defineEntity({
  name: 'Campaign',
  tableName: 'campaigns',
  properties: {
    id: p.integer().primary(),
    workspace_id: p.integer(),
    name: p.text(),
    status: p.text().$type<CampaignStatus>().default('draft'),
    account_id: p.integer(),
    reply_to: p.text().nullable(),
    /** User who chose the reply address; null for the operator, who may see every account. */
    reply_to_set_by: p.integer().nullable(),
    timezone: p.text(),
    sending_days: p
      .array((day: string) => Number(day))
      .$type<number[]>()
      .columnType('integer[]')
      .default([1, 2, 3, 4, 5]),
    sending_hour_start: p.integer().default(9),
    sending_hour_end: p.integer().default(17),
    ab_test_enabled: p.boolean().default(false),
    ab_split_percent: p.integer().default(50),
    sending_hour_start_b: p.integer().nullable(),
    sending_hour_end_b: p.integer().nullable(),
    starts_at: p.datetime().nullable(),
    ...columnsOf(CAMPAIGN_OPTIONS),
    /** Users who set the list and the subsequences, and in whose name contacts are enrolled; null for the operator. */
    list_set_by: p.integer().nullable(),
    subsequences_set_by: p.integer().nullable(),
    rotation_group_id: p.integer().nullable(),
    /** Its account was removed from the rotation group: it gets no new contacts. */
    is_leaving: p.boolean().default(false),
    paused_by_account: p.boolean().default(false),
    is_archived: p.boolean().default(false),
    is_shared_to_all: p.boolean().default(true),
    created_by: p.integer().nullable(),
    created_at: p.datetime(),
    updated_at: p.datetime(),
    deleted_at: p.datetime().nullable(),
  },
});
export type Campaign = InferEntity<typeof Campaign>;
