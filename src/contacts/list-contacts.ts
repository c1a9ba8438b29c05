import { type Caller, isAdmin, visible } from '../access/index.ts';
import type { Page, PageRequest } from '../db/page.ts';
import { empty, prepared, type Queryable, type Sql, sql } from '../db/statement.ts';
import { bitsOf, seenBlocks } from './blocks.ts';
import { findContacts } from './found-page.ts';
import { type ContactRow, contactColumns, contactMatches } from './read-contact.ts';
import { sharedContacts } from './shared-contacts.ts';

export interface ContactFilter {
  q?: string | undefined;
  list_id?: number | undefined;
  archived: boolean;
}

/** Offset from which counting bits is quicker than scanning an index up to there. */
const FAR = 10_000;

/** Lists contacts by id, with the exact total. Indexes: contacts_text, list_members_pkey, and those of `listAll`. */
export async function listContacts(db: Queryable, caller: Caller, filter: ContactFilter, page: PageRequest): Promise<Page<ContactRow>> {
  const condition = conditionOf(caller, filter);
  const isNarrowed = filter.q !== undefined || filter.list_id !== undefined;
  if (!isNarrowed && page.offset < FAR) return listAll(db, caller, condition, filter.archived, page);
  const blocks = isNarrowed ? undefined : allBlocks(caller, filter.archived);
  return findContacts(db, caller, { condition, alternatives: [condition], mayBeArchived: filter.archived, blocks }, page);
}

/** Selects `block` and `contacts` of all contacts of the caller, archived or not. */
const allBlocks = (caller: Caller, archived: boolean): Sql =>
  sql`select block, ${bitsOf(archived ? 'archived' : 'live')} as contacts from (${seenBlocks(caller)}) sets group by block`;

/**
 * Takes the ids from an index-only scan and joins the rows to them, which halves the cost of a large offset.
 * Indexes: contacts_page, contacts_archived_page.
 */
async function listAll(db: Queryable, caller: Caller, condition: Sql, archived: boolean, page: PageRequest): Promise<Page<ContactRow>> {
  const [data, [count]] = await Promise.all([
    db.query<ContactRow>(
      prepared(
        'contact-page',
        sql`
        select ${contactColumns(caller)} from (
          select c.id from contacts c where ${condition} order by c.id limit ${page.limit} offset ${page.offset}
        ) page join contacts c on c.id = page.id order by c.id`,
      ),
    ),
    db.query<{ total: number }>(prepared('contact-total', totalOf(caller, archived))),
  ]);
  return { data, pagination: { total: count?.total ?? 0, ...page } };
}

function conditionOf(caller: Caller, filter: ContactFilter): Sql {
  const archived = filter.archived ? sql`c.is_archived` : sql`not c.is_archived`;
  const inList =
    filter.list_id === undefined
      ? empty
      : sql` and exists (select 1 from list_members m join lists l on l.id = m.list_id
          where m.contact_id = c.id and m.list_id = ${filter.list_id} and ${visible(caller, 'lists', 'l')})`;
  const text = filter.q === undefined || filter.q === '' ? empty : sql` and ${contactMatches('c', filter.q)}`;
  return sql`${visible(caller, 'contacts', 'c')} and ${archived}${inList}${text}`;
}

/**
 * Total from counters by audience, which writes keep up to date. Contacts that others shared with the caller are counted
 * directly; there are few.
 * Indexes: contact_counts_pkey, shares_user.
 */
function totalOf(caller: Caller, archived: boolean): Sql {
  const counted = sql`select coalesce(sum(n.total), 0) from contact_counts n
    where n.workspace_id = ${caller.workspaceId} and n.is_archived = ${archived}`;
  if (isAdmin(caller)) return sql`select (${counted})::int as total`;
  return sql`select (${counted} and n.audience in (0, ${caller.userId}))::int + (
      select count(*)::int from (${sharedContacts(caller)}) c
      where c.workspace_id = ${caller.workspaceId} and c.is_archived = ${archived} and c.deleted_at is null) as total`;
}
