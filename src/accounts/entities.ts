import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { columnsOf } from '../db/option-columns.ts';
import type { DkimKey } from '../mail/dkim.ts';
import type { MailServer } from '../mail/mail-url.ts';
import { ACCOUNT_SETTINGS } from './settings/account-settings.ts';
import type { AccountStatus, PauseReason, Provider } from './words.ts';

/** A sending account. Columns that only sending and polling use are not mapped. */
export const Account = defineEntity({
  name: 'Account',
  tableName: 'accounts',
  properties: {
    id: p.integer().primary(),
    workspace_id: p.integer(),
    provider: p.text().$type<Provider>(),
    email: p.text(),
    ...columnsOf(ACCOUNT_SETTINGS),
    status: p.text().$type<AccountStatus>(),
    pause_reason: p.text().$type<PauseReason>().nullable(),
    pause_message: p.text().nullable(),
    paused_at: p.datetime().nullable(),
    ramp_started_on: p.date().nullable(),
    smtp: p.json<MailServer>(),
    smtp_secret: p.text(),
    imap: p.json<MailServer>().nullable(),
    imap_secret: p.text().nullable(),
    dkim: p.json<DkimKey[]>().nullable(),
    dkim_secret: p.text().nullable(),
    token_expires_at: p.datetime().nullable(),
    is_archived: p.boolean(),
    created_by: p.integer().nullable(),
    connected_at: p.datetime(),
    updated_at: p.datetime(),
    deleted_at: p.datetime().nullable(),
    connection_failures: p.integer(),
    /** No connection is made before this time, because the latest ones failed. */
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
