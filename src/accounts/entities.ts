import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { DkimKey } from '../mail/dkim.ts';
import type { MailServer } from '../mail/mail-url.ts';
import type { AccountStatus, PauseReason, Provider, SentCopy } from './words.ts';

/** A sending account. Columns that only sending and polling use are not mapped. */
export const Account = defineEntity({
  name: 'Account',
  tableName: 'accounts',
  properties: {
    id: p.integer().primary(),
    workspace_id: p.integer(),
    provider: p.text().$type<Provider>(),
    email: p.text(),
    from_name: p.text(),
    status: p.text().$type<AccountStatus>(),
    pause_reason: p.text().$type<PauseReason>().nullable(),
    pause_message: p.text().nullable(),
    paused_at: p.datetime().nullable(),
    daily_send_limit: p.integer(),
    timezone: p.text(),
    send_window_start_hour: p.integer(),
    send_window_end_hour: p.integer(),
    send_batch_min: p.integer(),
    send_batch_max: p.integer(),
    send_batch_interval_minutes: p.integer(),
    gap_min_seconds: p.integer(),
    gap_max_seconds: p.integer(),
    /** Most emails in a minute; null without such a limit. */
    minute_send_limit: p.integer().nullable(),
    ramp_start: p.integer().nullable(),
    ramp_increment: p.integer().nullable(),
    ramp_ceiling: p.integer().nullable(),
    ramp_started_on: p.date().nullable(),
    signature_template_id: p.integer().nullable(),
    tracking_host: p.text().nullable(),
    /** Folders that are polled beside the usual ones, separated by commas. */
    folders: p.text().nullable(),
    /** Value of List-Id, without brackets. */
    list_id: p.text().nullable(),
    /** Who puts copies of answers into its Sent folder. */
    sent_copy: p.text().$type<SentCopy>(),
    /** Words by which commands choose several accounts. */
    tags: p.array().$type<string[]>().columnType('text[]').default([]),
    smtp: p.json<MailServer>(),
    smtp_secret: p.text(),
    imap: p.json<MailServer>().nullable(),
    imap_secret: p.text().nullable(),
    dkim: p.json<DkimKey[]>().nullable(),
    dkim_secret: p.text().nullable(),
    token_expires_at: p.datetime().nullable(),
    is_archived: p.boolean(),
    is_shared_to_all: p.boolean(),
    created_by: p.integer().nullable(),
    connected_at: p.datetime(),
    updated_at: p.datetime(),
    deleted_at: p.datetime().nullable(),
    connection_failures: p.integer(),
    /** No connection is made before this time: the last ones failed. */
    connect_after: p.datetime().nullable(),
    connection_error: p.text().nullable(),
    /** Numbers of emails sent before the latest refusals as unwanted. */
    refusal_marks: p
      .array((mark: string) => Number(mark))
      .$type<number[]>()
      .columnType('integer[]')
      .default([]),
  },
});
export type Account = InferEntity<typeof Account>;
