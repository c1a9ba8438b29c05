import { type Caller, visible } from '../access/index.ts';
import type { AccountStatus, DailyLimit, PauseReason } from '../accounts/index.ts';
import { accountIs, dailyLimitColumns, dailyLimitOf, emailsByDay } from '../accounts/index.ts';
import { accountWindow, isOpen, nextOpening } from '../campaigns/index.ts';
import { formatTimestamp } from '../core/timestamp-text.ts';
import { localDay } from '../core/zone.ts';
import { type Queryable, sql } from '../db/statement.ts';
import { timestamp } from '../db/timestamp.ts';

/** A sending account as the dashboard shows it. Times are UTC, `YYYY-MM-DD HH:MM:SS`. */
export interface AccountLine {
  id: number;
  email: string;
  status: AccountStatus;
  pause_reason: PauseReason | null;
  pause_message: string | null;
  /** Emails accepted on the account's local day, and its limit for that day. */
  sent_today: number;
  daily_limit: number;
  /** `08–18 Europe/Berlin`. */
  window: string;
  is_open: boolean;
  opens_at: string | null;
  next_batch_at: string | null;
  /** Null for an account that was never polled. */
  last_polled_at: string | null;
  poll_error: string | null;
  /** The reason why the latest connection to its SMTP server failed; null if it succeeded. */
  connection_error: string | null;
}

interface AccountFacts extends Omit<AccountLine, 'sent_today' | 'daily_limit' | 'window' | 'is_open' | 'opens_at'>, DailyLimit {
  send_window_start_hour: number;
  send_window_end_hour: number;
  days: Record<string, number> | null;
}

/**
 * Reads the accounts that the caller may see, without archived ones, those that are paused or disconnected first.
 * Indexes: accounts_live_email, a workspace has few; account_days_pkey.
 */
export async function readAccountLines(db: Queryable, caller: Caller, now: Date, limit: number): Promise<AccountLine[]> {
  const rows = await db.query<AccountFacts>(sql`
    select a.id, a.email, a.status, a.pause_reason, a.pause_message, a.send_window_start_hour, a.send_window_end_hour,
      ${dailyLimitColumns('a')},
      ${timestamp('a.next_batch_at')} as next_batch_at, ${timestamp('a.last_polled_at')} as last_polled_at, a.poll_error, a.connection_error,
      ${emailsByDay('a', now)} as days
    from accounts a where ${visible(caller, 'accounts', 'a')} and not a.is_archived
    order by ${accountIs('a', 'active')}, a.id limit ${limit}`);
  return rows.map((row) => toAccountLine(row, now));
}

function toAccountLine(row: AccountFacts, now: Date): AccountLine {
  const window = accountWindow({ ...row, account_timezone: row.timezone });
  const today = localDay(now, row.timezone);
  const opening = isOpen(window, now) ? null : nextOpening([window], now);
  return {
    id: row.id,
    email: row.email,
    status: row.status,
    pause_reason: row.pause_reason,
    pause_message: row.pause_message,
    sent_today: row.days?.[today] ?? 0,
    daily_limit: dailyLimitOf(row, today),
    window: `${row.send_window_start_hour}–${row.send_window_end_hour} ${row.timezone}`,
    is_open: opening === null,
    opens_at: opening === null ? null : formatTimestamp(opening),
    next_batch_at: row.next_batch_at,
    last_polled_at: row.last_polled_at,
    poll_error: row.poll_error,
    connection_error: row.connection_error,
  };
}
