import { type DailyLimit, dailyLimitColumns, dailyLimitOf, emailsByDay, isLiveAccount } from '../accounts/index.ts';
import { localDay } from '../core/zone.ts';
import { type Queryable, sql } from '../db/statement.ts';

/** Emails on each account's current local day, summed over all live accounts. */
export interface EmailsToday {
  /** Accepted by the accounts' servers, and in flight. */
  sent: number;
  /** The sum of the daily limits, after ramp-up. */
  limit: number;
}

interface AccountDay extends DailyLimit {
  days: Record<string, number> | null;
}

/** Counts today's emails and the limit. Reads every live account; index: account_days_pkey. */
export async function readEmailsToday(db: Queryable, now: Date): Promise<EmailsToday> {
  const rows = await db.query<AccountDay>(sql`
    select ${dailyLimitColumns('a')}, ${emailsByDay('a', now)} as days
    from accounts a where ${isLiveAccount('a')}`);
  const total: EmailsToday = { sent: 0, limit: 0 };
  for (const row of rows) {
    const today = localDay(now, row.timezone);
    total.sent += row.days?.[today] ?? 0;
    total.limit += dailyLimitOf(row, today);
  }
  return total;
}
