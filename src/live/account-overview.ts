import { type Caller, visible } from '../access/index.ts';
import {
  type AccountRow,
  accountColumns,
  bounceRate,
  type DailyLimit,
  dailyLimitColumns,
  dailyLimitOf,
  emailsByDay,
  type HealthWord,
  healthWord,
} from '../accounts/index.ts';
import { localDay } from '../core/zone.ts';
import { listPage, type Page, type PageRequest } from '../db/page.ts';
import { empty, type Queryable, sql } from '../db/statement.ts';
import { timestamp } from '../db/timestamp.ts';

/** An account with its emails of the day. */
export interface AccountOverview extends AccountRow {
  /** Emails accepted on the account's local day, and its limit for that day, which a ramp-up lowers. */
  sent_today: number;
  limit_today: number;
  /** Null for an account that was never polled. */
  last_polled_at: string | null;
  poll_error: string | null;
  /** The share of emails of the last seven days that bounced, from 0 to 1; null if there were none. */
  bounce_rate: number | null;
  /** Null before the first check. */
  health: HealthWord | null;
  tags: string[];
}

interface OverviewFacts extends Omit<AccountOverview, 'sent_today' | 'limit_today'>, DailyLimit {
  days: Record<string, number> | null;
}

/**
 * Lists the accounts that the caller may see, including archived ones, by id. Indexes: accounts_live_email, a workspace has few;
 * account_days_pkey.
 * @param tag only accounts with this tag
 */
export async function listAccountOverviews(
  db: Queryable,
  caller: Caller,
  now: Date,
  tag: string | undefined,
  page: PageRequest,
): Promise<Page<AccountOverview>> {
  const where = sql`${visible(caller, 'accounts', 'a')} ${tag === undefined ? empty : sql`and ${tag} = any(a.tags)`}`;
  const { data, pagination } = await listPage<OverviewFacts>(
    db,
    sql`select ${accountColumns}, ${dailyLimitColumns('a')}, a.tags,
      ${timestamp('a.last_polled_at')} as last_polled_at, a.poll_error, ${emailsByDay('a', now)} as days,
      ${bounceRate('a', now)} as bounce_rate, ${healthWord('a')} as health
      from accounts a where ${where} order by a.id`,
    sql`select count(*)::int as total from accounts a where ${where}`,
    page,
  );
  return { data: data.map((facts) => overviewOf(facts, now)), pagination };
}

function overviewOf(facts: OverviewFacts, now: Date): AccountOverview {
  const { ramp_start, ramp_increment, ramp_ceiling, ramp_started_on, ramp_days, days, ...account } = facts;
  const today = localDay(now, account.timezone);
  return { ...account, sent_today: days?.[today] ?? 0, limit_today: dailyLimitOf(facts, today) };
}
