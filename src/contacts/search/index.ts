import type { Caller } from '../../access/index.ts';
import type { App } from '../../app.ts';
import type { Page, PageRequest } from '../../db/page.ts';
import { findContacts } from '../found-page.ts';
import type { ContactRow } from '../read-contact.ts';
import { type NextSendSearch, searchCondition } from './condition.ts';

/**
 * Searches contacts by a query in the Smart Search language (docs/smart-search.md); returns a page by id with the exact
 * total. Throws `invalid_request` with the reason for an invalid query.
 * @param nextSendSearch implements `next_send:`, which needs src/campaigns; the router passes it in
 */
export async function searchContacts(
  app: App,
  caller: Caller,
  query: string,
  page: PageRequest,
  nextSendSearch: NextSendSearch,
): Promise<Page<ContactRow>> {
  const search = await searchCondition(app, caller, query, nextSendSearch);
  return findContacts(app.db, caller, search, page);
}
