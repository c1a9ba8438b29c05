import type { Caller } from '../../access/index.ts';
import type { App } from '../../app.ts';
import { sql } from '../../db.ts';
import type { Page, PageRequest } from '../../wire.ts';
import { type ContactRow, contactColumns } from '../contact.ts';
import { type NextSendSearch, searchCondition } from './condition.ts';
import { findPage } from './found-page.ts';

/**
 * Searches contacts by a query of the Smart Search language (docs/smart-search.md): a page by id with the exact total.
 * Throws `invalid_request` with the reason for a text that is no query.
 * @param nextSendSearch what `next_send:` needs of the campaigns, handed in by the door
 */
export async function searchContacts(
  app: App,
  caller: Caller,
  query: string,
  page: PageRequest,
  nextSendSearch: NextSendSearch,
): Promise<Page<ContactRow>> {
  const search = await searchCondition(app, caller, query, nextSendSearch);
  const { total, ids } = await findPage(app.db, caller, search, page);
  const data = await app.db.query<ContactRow>(sql`
    select ${contactColumns} from contacts c where c.id = any(${ids}::int[]) order by c.id`);
  return { data, pagination: { total, ...page } };
}
