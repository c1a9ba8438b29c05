import { DAY } from '../core/clock.ts';
import { type RowOf, selectColumns } from '../db/record-row.ts';
import type { Sql } from '../db/statement.ts';
import type { Account } from './entities.ts';

const COLUMNS = ['timezone', 'daily_send_limit', 'ramp_start', 'ramp_increment', 'ramp_ceiling', 'ramp_started_on'] as const;

/** The limit of an account's emails on a day of its time zone, and its ramp-up. */
export type DailyLimit = RowOf<Account, (typeof COLUMNS)[number]>;

/** The columns of a `DailyLimit`. */
export const dailyLimitColumns = (alias: string): Sql => selectColumns<Account>(alias, COLUMNS);

/**
 * The limit on a day, `YYYY-MM-DD`, after ramp-up: `ramp_start` on its first day, `ramp_increment` more each day, up to its ceiling or the
 * daily limit.
 */
export function dailyLimitOf(account: Omit<DailyLimit, 'timezone'>, day: string): number {
  const { daily_send_limit: limit, ramp_start, ramp_increment, ramp_ceiling, ramp_started_on } = account;
  if (ramp_start === null || ramp_started_on === null) return limit;
  const days = Math.max(0, Math.round((Date.parse(day) - Date.parse(ramp_started_on)) / DAY));
  return Math.min(limit, ramp_ceiling ?? limit, ramp_start + days * (ramp_increment ?? 0));
}
