import { raw, type Sql, sql } from '../db/statement.ts';
import { isOneOf } from '../db/words.ts';
import type { AccountStatus } from './entities.ts';

/** Account `alias` has one of these statuses. */
export const accountIs = (alias: string, ...statuses: [AccountStatus, ...AccountStatus[]]): Sql => isOneOf(`${alias}.status`, statuses);

/** Account `alias` is neither archived nor deleted; it may be paused. */
export const isLiveAccount = (alias: string): Sql => sql`${raw(alias)}.deleted_at is null and not ${raw(alias)}.is_archived`;

/** Account `alias` may send: it is active and live. */
export const canSend = (alias: string): Sql => sql`${accountIs(alias, 'active')} and ${isLiveAccount(alias)}`;

/** The mailbox of account `alias` can be read: the account is live and connected, and has IMAP. */
export const canBePolled = (alias: string): Sql =>
  sql`${isLiveAccount(alias)} and ${raw(alias)}.imap is not null and ${raw(alias)}.status <> 'disconnected'`;
