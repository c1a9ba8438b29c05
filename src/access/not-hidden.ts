import { empty, raw, type Sql, sql } from '../db/statement.ts';
import { type Caller, isAdmin } from './caller.ts';
import { visible } from './visibility.ts';

/** Number of rows above which reading all hidden contacts once is cheaper than looking up each row. Campaigns are few. */
const MANY = 5_000;

/**
 * Condition: the id, from the caller's workspace, is not that of a campaign or contact hidden from the caller. It looks for
 * hidden rows because they are few: the partial indexes campaigns_hidden and contacts_hidden hold only deleted and private
 * ones, campaigns_deleted and contacts_deleted those that are hidden from admins too. It is not an anti-join, because
 * PostgreSQL misestimates their number and then compares every row with every hidden id (17 s instead of 0.3 s to skip
 * 900,000 events). What nobody created, as the operator does, is compared with null, and is hidden, too.
 * @param rows rough number of rows that are examined; if it is small, `offset 0` keeps PostgreSQL from reading all hidden contacts first
 */
export function notHidden(caller: Caller, table: 'campaigns' | 'contacts', id: Sql, rows = Number.POSITIVE_INFINITY): Sql {
  const oneByOne = table === 'contacts' && rows <= MANY ? raw('offset 0') : empty;
  return sql`exists (select from ${raw(table)} h where h.id = ${id} and ${isHidden(caller, table, 'h')} ${oneByOne}) is not true`;
}

/**
 * Condition: row `alias` of the caller's workspace is hidden from the caller: deleted, or private and not theirs to see. The part that the
 * partial indexes have as their condition stands alone, so that the planner can use them.
 */
export const isHidden = (caller: Caller, table: 'campaigns' | 'contacts', alias: string): Sql => {
  const t = raw(alias);
  if (isAdmin(caller)) return sql`${t}.deleted_at is not null`;
  return sql`(${t}.deleted_at is not null or not ${t}.is_shared_to_all) and (${visible(caller, table, alias)}) is not true`;
};
