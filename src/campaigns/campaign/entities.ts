import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

export const CAMPAIGN_STATUSES = ['draft', 'active', 'paused', 'completed'] as const;
export type CampaignStatus = (typeof CAMPAIGN_STATUSES)[number];

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
    stop_company: p.boolean().default(false),
    rotation_group_id: p.integer().nullable(),
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

export const STEP_KINDS = ['email', 'call'] as const;
export type StepKind = (typeof STEP_KINDS)[number];

export const Step = defineEntity({
  name: 'Step',
  tableName: 'steps',
  properties: {
    id: p.integer().primary(),
    campaign_id: p.integer(),
    step_order: p.integer(),
    kind: p.text().$type<StepKind>().default('email'),
    subject: p.text().default(''),
    body_html: p.text(),
    subject_b: p.text().nullable(),
    body_html_b: p.text().nullable(),
    wait_days: p.integer().default(0),
    created_at: p.datetime(),
    updated_at: p.datetime(),
    deleted_at: p.datetime().nullable(),
  },
});
export type Step = InferEntity<typeof Step>;

export const TEMPLATE_TYPES = ['template', 'signature'] as const;
export type TemplateType = (typeof TEMPLATE_TYPES)[number];

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

/** Counters of a campaign. The row is also the lock that enrolling and completing take. */
export const CampaignStats = defineEntity({
  name: 'CampaignStats',
  tableName: 'campaign_stats',
  properties: {
    campaign_id: p.integer().primary(),
    contacts: p.integer().default(0),
    sent: p.integer().default(0),
    opened: p.integer().default(0),
    clicked: p.integer().default(0),
    replied: p.integer().default(0),
    bounced: p.integer().default(0),
    failed: p.integer().default(0),
    variant_a: p.integer().default(0),
    variant_b: p.integer().default(0),
  },
});
export type CampaignStats = InferEntity<typeof CampaignStats>;

const CALL_STATUSES = ['pending', 'done', 'skipped', 'cancelled'] as const;
export type CallStatus = (typeof CALL_STATUSES)[number];

/** A call to make: the task that a call step becomes once it is due. */
export const CallTask = defineEntity({
  name: 'CallTask',
  tableName: 'call_tasks',
  properties: {
    id: p.integer().primary(),
    workspace_id: p.integer(),
    campaign_id: p.integer(),
    enrolment_id: p.integer(),
    step_id: p.integer(),
    status: p.text().$type<CallStatus>().default('pending'),
    due_at: p.datetime(),
    note: p.text().nullable(),
    closed_by: p.integer().nullable(),
    closed_at: p.datetime().nullable(),
    created_at: p.datetime(),
  },
});
export type CallTask = InferEntity<typeof CallTask>;

/** Campaigns that share one sequence, each with an account of its own. */
export const RotationGroup = defineEntity({
  name: 'RotationGroup',
  tableName: 'rotation_groups',
  properties: {
    id: p.integer().primary(),
    workspace_id: p.integer(),
    created_by: p.integer().nullable(),
    created_at: p.datetime(),
  },
});
export type RotationGroup = InferEntity<typeof RotationGroup>;
