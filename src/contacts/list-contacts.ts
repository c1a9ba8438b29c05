import { type Caller, isAdmin, visible } from '../access/index.ts';
import { empty, prepared, type Queryable, type Sql, sql } from '../db.ts';
import type { Page, PageRequest } from '../wire.ts';
import { type ContactRow, contactColumns, contactMatches } from './contact.ts';

export interface ContactFilter {
  q?: string | undefined;
  list_id?: number | undefined;
  archived: boolean;
}

/**
 * A page of contacts by id, with the exact total. Ids come from the index first and rows are joined to them, which
 * halves the cost of a large offset. Indexes: contacts_page, contacts_archived_page, contacts_text, list_members_pkey.
 */
export async function listContacts(db: Queryable, caller: Caller, filter: ContactFilter, page: PageRequest): Promise<Page<ContactRow>> {
  const condition = conditionOf(caller, filter);
  const rows = sql`
    select ${contactColumns} from (
      select c.id from contacts c where ${condition} order by c.id limit ${page.limit} offset ${page.offset}
    ) page join contacts c on c.id = page.id order by c.id`;
  // What a filter finds differs too much for one plan.
  const [data, [count]] = await (isNarrowed(filter)
    ? Promise.all([db.query<ContactRow>(rows), db.query<Total>(sql`select count(*)::int as total from contacts c where ${condition}`)])
    : Promise.all([db.query<ContactRow>(prepared(rows)), db.query<Total>(prepared(totalOf(caller, filter.archived)))]));
  return { data, pagination: { total: count?.total ?? 0, ...page } };
}

interface Total {
  total: number;
}

const isNarrowed = (filter: ContactFilter) => filter.q !== undefined || filter.list_id !== undefined;

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

/** What everybody sees is counted as it is written; the few rows shared with some are counted now. Index: contacts_private. */
function totalOf(caller: Caller, archived: boolean): Sql {
  const mine = isAdmin(caller) ? empty : sql` and ${visible(caller, 'contacts', 'c')}`;
  return sql`select coalesce((select total from contact_counts where workspace_id = ${caller.workspaceId} and is_archived = ${archived}), 0)
    + (select count(*) from contacts c where c.workspace_id = ${caller.workspaceId} and c.deleted_at is null and not c.is_shared_to_all
      and c.is_archived = ${archived}${mine})::int as total`;
}
