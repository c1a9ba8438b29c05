import type { Caller } from '../../access/index.ts';
import type { App } from '../../app.ts';
import type { Page, PageRequest } from '../../db/page.ts';
import { join, type Sql, sql } from '../../db/statement.ts';
import { findContacts } from '../found-page.ts';
import type { ContactRow } from '../read-contact.ts';
import type { CampaignSearch } from './campaign-search.ts';
import { searchCondition } from './condition.ts';

/**
 * Searches contacts by a query in the Smart Search language (docs/smart-search.md). Returns a page by id with the exact total. Throws
 * `invalid_request` with the reason for an invalid query.
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

/** Selects the `id` of each contact that a query finds, for use in another statement. Throws as `searchContacts` does. */
export async function selectFound(app: App, caller: Caller, query: string, campaigns: CampaignSearch): Promise<Sql> {
  const { alternatives } = await searchCondition(app, caller, query, campaigns);
  return join(
    alternatives.map((alternative) => sql`select c.id from contacts c where ${alternative}`),
    ' union ',
  );
}

export type { CampaignSearch } from './campaign-search.ts';
