import { empty, raw, type Sql, sql } from '../db/statement.ts';
import { type Caller, isAdmin } from './caller.ts';
import { visible } from './visibility.ts';

/** Beyond so many rows, reading all hidden contacts once is cheaper than looking each row up. Campaigns are few. */
const MANY = 5_000;

/**
 * The id belongs to no campaign or contact that is hidden from the caller. For ids within the caller's workspace, asked
 * this way round because few rows are hidden: the partial indexes campaigns_hidden and contacts_hidden hold the deleted
 * and private ones alone, campaigns_deleted and contacts_deleted what is hidden from admins too. Not an anti join, because
 * PostgreSQL guesses their number wrong and then compares every row with every hidden id (17 s to skip 900,000 events,
 * against 0.3 s).
 * @param rows about how many rows are looked at, any number when left out: `offset 0` forbids PostgreSQL to read the hidden contacts beforehand
 */
export function notHidden(caller: Caller, table: 'campaigns' | 'contacts', id: Sql, rows = Number.POSITIVE_INFINITY): Sql {
  const hidden = isAdmin(caller)
    ? sql`h.deleted_at is not null`
    : sql`(h.deleted_at is not null or not h.is_shared_to_all) and not (${visible(caller, table, 'h')})`;
  const oneByOne = table === 'contacts' && rows <= MANY ? raw('offset 0') : empty;
  return sql`exists (select from ${raw(table)} h where h.id = ${id} and ${hidden} ${oneByOne}) is not true`;
}
