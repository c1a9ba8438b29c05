import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { CampaignStatus, InCampaign, ProviderMatch, WhenUnknown } from '../states/campaign.ts';
import type { Subsequence } from './subsequences.ts';

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
    /** Who chose the reply address; null is the operator, who may see every account. */
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
    auto_reopen: p.boolean().default(true),
    use_contact_timezone: p.boolean().default(false),
    track_opens: p.boolean().default(true),
    track_clicks: p.boolean().default(true),
    /** Such as `14-17`. */
    more_hours: p.array().$type<string[]>().columnType('text[]').default([]),
    holidays: p.text().nullable(),
    new_contacts_per_day: p.integer().nullable(),
    skip_if_in_campaign: p.text().$type<InCampaign>().default('none'),
    provider_match: p.text().$type<ProviderMatch>().default('off'),
    /** Whoever joins this list is enrolled. */
    list_id: p.integer().nullable(),
    /** In whose name; null is the operator. */
    list_set_by: p.integer().nullable(),
    subsequences: p.json<Subsequence[]>().default([]),
    subsequences_set_by: p.integer().nullable(),
    max_per_company_per_day: p.integer().nullable(),
    stop_company: p.boolean().default(false),
    footer: p.boolean().default(true),
    spintax: p.boolean().default(false),
    cc: p.array().columnType('text[]').default([]),
    bcc: p.array().columnType('text[]').default([]),
    when_unknown: p.text().$type<WhenUnknown>().default('wait'),
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
