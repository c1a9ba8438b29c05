import { raw, type Sql, sql } from '../db/statement.ts';
import { isOneOf } from '../db/words.ts';
import type { AccountStatus } from './words.ts';

/** Condition: account `alias` has one of these statuses. */
export const accountIs = (alias: string, ...statuses: [AccountStatus, ...AccountStatus[]]): Sql => isOneOf(`${alias}.status`, statuses);

/** Condition: account `alias` is neither archived nor deleted. It may be paused. */
export const isLiveAccount = (alias: string): Sql => sql`${raw(alias)}.deleted_at is null and not ${raw(alias)}.is_archived`;

/** Condition: account `alias` may send, that is, it is active and live. */
export const canSend = (alias: string): Sql => sql`${accountIs(alias, 'active')} and ${isLiveAccount(alias)}`;

/**
 * Condition: accounts `one` and `other`, of the same workspace, are the same mailbox: one account, or one that was deleted and
 * connected again.
 */
export const isSameMailbox = (one: string, other: string): Sql => sql`address_key(${raw(one)}.email) = address_key(${raw(other)}.email)`;

/** Condition: the mailbox of account `alias` can be polled, that is, the account is live, connected and has IMAP. */
export const canBePolled = (alias: string): Sql => sql`${isLiveAccount(alias)} and ${hasReadableMailbox(alias)}`;

/** Condition: account `alias`, which may be archived, is connected and has IMAP. */
export const hasReadableMailbox = (alias: string): Sql =>
  sql`${raw(alias)}.deleted_at is null and ${raw(alias)}.imap is not null and ${raw(alias)}.status <> 'disconnected'`;
