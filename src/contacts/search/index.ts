import type { Caller } from '../../access/index.ts';
import type { App } from '../../app.ts';
import type { Page, PageRequest } from '../../db/page.ts';
import { findContacts } from '../found-page.ts';
import type { ContactRow } from '../read-contact.ts';
import type { CampaignSearch } from './campaign-search.ts';
import { searchCondition } from './condition.ts';

/**
 * Searches contacts by a query in the Smart Search language (docs/smart-search.md); returns a page by id with the exact
 * total. Throws `invalid_request` with the reason for an invalid query.
 * @param campaigns implements the conditions on campaigns, which lie above this folder; the router passes it in
 */
export async function searchContacts(
  app: App,
  caller: Caller,
  query: string,
  page: PageRequest,
  campaigns: CampaignSearch,
): Promise<Page<ContactRow>> {
  const search = await searchCondition(app, caller, query, campaigns);
  return findContacts(app.db, caller, search, page);
}

export type { CampaignSearch } from './campaign-search.ts';
