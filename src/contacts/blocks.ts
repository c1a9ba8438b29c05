import { type Caller, isAdmin } from '../access/index.ts';
import type { PageRequest } from '../db/page.ts';
import { empty, raw, type Sql, sql } from '../db/statement.ts';
import { sharedContacts } from './shared-contacts.ts';

/*
 * A set of contacts is a bitmap in blocks of 1,024 consecutive ids: see migrations/0010-counts.ts. Triggers keep the sets, so
 * that an intersection of two is exact, and takes some milliseconds for a million contacts. They also keep between which instants the
 * contacts of a block were created.
 */

/** The sets of contacts that a caller can see. */
export type SeenSet = 'live' | 'archived';

/** The bits of a set, for a statement that groups rows with the columns `what`, `block` and `contacts` by block. */
export const bitsOf = (what: string): Sql => sql`coalesce(bit_or(contacts) filter (where what = ${what}), B'0'::bit(1024))`;

/**
 * Selects `what` (a `SeenSet`), `block` and `contacts` of the contacts that the caller can see, and `created_from` and `created_to`, between
 * which they were created, both included; a block may come several times. Contacts that others shared with the caller are looked up; there
 * are few. Indexes: contact_blocks_pkey, shares_user.
 */
export function seenBlocks(caller: Caller): Sql {
  const audience = isAdmin(caller) ? empty : sql` and b.audience in (0, ${caller.userId})`;
  const kept = sql`select ${nameOf('b')} as what, b.block, b.contacts, b.created_from, b.created_to
    from contact_blocks b where b.workspace_id = ${caller.workspaceId}${audience}`;
  if (isAdmin(caller)) return kept;
  return sql`${kept} union all
    select ${nameOf('c')}, c.id / 1024, contact_bit(c.id), c.created_at, c.created_at from (${sharedContacts(caller)}) c
    where c.workspace_id = ${caller.workspaceId} and c.deleted_at is null`;
}

/**
 * Selects `block` and `contacts` of the live contacts that are private and that somebody else than the caller created, shared with the
 * caller or not. Index: contact_blocks_pkey.
 */
export const othersBlocks = (caller: Caller): Sql => sql`
  select b.block, bit_or(b.contacts) as contacts from contact_blocks b
  where b.workspace_id = ${caller.workspaceId} and b.audience not in (0, ${caller.userId}) group by b.block`;

const nameOf = (alias: string): Sql => sql`case when ${raw(alias)}.is_archived then 'archived' else 'live' end`;

/**
 * Selects `total`, the size of a set, and `ids`, those of one page, in order.
 * @param found selects `block` and `contacts` of the set, each block once
 */
export const pageOfBlocks = (found: Sql, { limit, offset }: PageRequest): Sql => sql`
  with found as materialized (${found}
  ), sized as (
    select block, contacts, bit_count(contacts) as size from found
  ), placed as materialized (
    select block, contacts, size, sum(size) over (order by block) - size as before from sized where size > 0
  )
  select (select coalesce(sum(size), 0)::int from placed) as total, array(
    select p.block * 1024 + bit from placed p cross join generate_series(0, 1023) bit
    where p.before < ${offset}::bigint + ${limit}::int and p.before + p.size > ${offset} and get_bit(p.contacts, bit) = 1
    order by 1 limit ${limit} offset ${offset} - coalesce((select min(before) from placed where before + size > ${offset}), 0)) as ids`;
