import { raw, type Sql, sql } from '../../db/statement.ts';
import { isOneOf } from '../../db/words.ts';

export const CAMPAIGN_STATUSES = ['draft', 'active', 'paused', 'completed'] as const;
export type CampaignStatus = (typeof CAMPAIGN_STATUSES)[number];

/** Campaign `alias` does not wait for emails whose delivery is unknown. */
export const continuesWhenUnknown = (alias: string): Sql => sql`${raw(alias)}.when_unknown = 'continue'`;

/** Campaign `alias` has one of these statuses. */
export const campaignIs = (alias: string, ...statuses: [CampaignStatus, ...CampaignStatus[]]): Sql => isOneOf(`${alias}.status`, statuses);

/** Campaign `alias` is active and neither archived nor deleted; it may not have started yet. */
export const isRunning = (alias: string): Sql =>
  sql`${campaignIs(alias, 'active')} and ${raw(alias)}.deleted_at is null and not ${raw(alias)}.is_archived`;

/** Campaign `alias` has daily limits, so its emails must be counted. */
export const hasDayLimits = (alias: string): Sql =>
  sql`(${raw(alias)}.new_contacts_per_day is not null or ${raw(alias)}.max_per_company_per_day is not null)`;

/** Emails of campaign `c` have the image or the links that track opens or clicks. Both need a public address or a host of account `a`. */
export const tracks = (what: 'opens' | 'clicks', publicUrl: string | null): Sql =>
  sql`(c.${raw(`track_${what}`)} and ${publicUrl === null ? sql`a.tracking_host is not null` : sql`true`})`;

/** Campaign `alias` has no planned start, or its planned start has come. */
export const hasStarted = (alias: string, now: Date): Sql => sql`(${raw(alias)}.starts_at is null or ${raw(alias)}.starts_at <= ${now})`;
