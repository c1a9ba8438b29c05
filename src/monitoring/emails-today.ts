import { emailsByDay, isLiveAccount } from '../accounts/index.ts';
import { DAY } from '../core/clock.ts';
import { localDay } from '../core/zone.ts';
import { type Queryable, sql } from '../db/statement.ts';
import { rampedLimit } from '../sending/index.ts';

/** Emails of each account's local day, over all live accounts. */
export interface EmailsToday {
  /** Accepted by the accounts' servers, and in flight. */
  sent: number;
  /** The sum of the daily limits, after ramp-up. */
  limit: number;
}

interface AccountDay {
  timezone: string;
  daily_send_limit: number;
  ramp_start: number | null;
  ramp_increment: number | null;
  ramp_ceiling: number | null;
  ramp_started_on: string | null;
  days: Record<string, number> | null;
}

/** Counts today's emails of the limit. Reads every live account; index: account_days_pkey. */
export async function readEmailsToday(db: Queryable, now: Date): Promise<EmailsToday> {
  // The account's local day is yesterday, today or tomorrow in UTC, depending on its time zone.
  const day = (days: number) => new Date(now.getTime() + days * DAY).toISOString().slice(0, 10);
  const rows = await db.query<AccountDay>(sql`
    select a.timezone, a.daily_send_limit, a.ramp_start, a.ramp_increment, a.ramp_ceiling, a.ramp_started_on,
      ${emailsByDay('a', day(-1), day(1))} as days
    from accounts a where ${isLiveAccount('a')}`);
  const total: EmailsToday = { sent: 0, limit: 0 };
  for (const row of rows) {
    const today = localDay(now, row.timezone);
    const ramp = { start: row.ramp_start, increment: row.ramp_increment, ceiling: row.ramp_ceiling, startedOn: row.ramp_started_on };
    total.sent += row.days?.[today] ?? 0;
    total.limit += rampedLimit(row.daily_send_limit, ramp, today);
  }
  return total;
}
