import { type RowOf, selectColumns } from '../db/record-row.ts';
import { raw, type Sql, sql } from '../db/statement.ts';
import type { Account } from './entities.ts';

const COLUMNS = ['timezone', 'daily_send_limit', 'ramp_start', 'ramp_increment', 'ramp_ceiling', 'ramp_started_on'] as const;

/** An account's daily limit of emails, by its time zone, and its ramp-up. */
export type DailyLimit = RowOf<Account, (typeof COLUMNS)[number]> & {
  /** The local days of the ramp-up on which it sent, `YYYY-MM-DD`. */
  ramp_days: string[];
};

/** The columns of a `DailyLimit`. Index: account_days_pkey. */
export const dailyLimitColumns = (alias: string): Sql => sql`${selectColumns<Account>(alias, COLUMNS)}, array(
  select d.day::text from account_days d
  where d.account_id = ${raw(alias)}.id and d.accepted > 0 and d.day >= ${raw(alias)}.ramp_started_on) as ramp_days`;

/**
 * Returns the limit on a day, `YYYY-MM-DD`, with the ramp-up applied: `ramp_start` on the first day, plus `ramp_increment` for each earlier
 * day on which the account sent, up to the ceiling or the daily limit. Days of a pause do not count, since a month without emails does not
 * warm a mailbox up.
 * @param ahead further days on which the account will have sent by then
 */
export function dailyLimitOf(account: Omit<DailyLimit, 'timezone'>, day: string, ahead: readonly string[] = []): number {
  const { daily_send_limit: limit, ramp_start, ramp_increment, ramp_ceiling, ramp_started_on } = account;
  if (ramp_start === null || ramp_started_on === null) return limit;
  const days = [...new Set([...account.ramp_days, ...ahead])].filter((sent) => sent < day).length;
  return Math.min(limit, ramp_ceiling ?? limit, ramp_start + days * (ramp_increment ?? 0));
}
