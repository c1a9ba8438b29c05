import { eachRecord } from '../../client/pages.ts';
import type { Api } from './api.ts';

/** The ids of all contacts that a query of the Smart Search language finds. Throws `invalid_request` for a malformed query. */
export async function searchedIds(api: Api, query: string): Promise<number[]> {
  const contacts = await Array.fromAsync(eachRecord((page) => api.search.search.query({ q: query, ...page })));
  return contacts.map(({ id }) => id);
}
