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
  const hidden = isAdmin(caller)
    ? sql`h.deleted_at is not null`
    : sql`(h.deleted_at is not null or not h.is_shared_to_all) and (${visible(caller, table, 'h')}) is not true`;
  const oneByOne = table === 'contacts' && rows <= MANY ? raw('offset 0') : empty;
  return sql`exists (select from ${raw(table)} h where h.id = ${id} and ${hidden} ${oneByOne}) is not true`;
}
