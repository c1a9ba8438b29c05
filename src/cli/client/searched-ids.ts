import { readList } from '../list-output.ts';
import type { Api } from './api.ts';

/** The ids of all contacts that a query of the Smart Search language finds. Throws `invalid_request` for a malformed query. */
export async function searchedIds(api: Api, query: string): Promise<number[]> {
  const { rows } = await readList({ all: true, limit: 1 }, (page) => api.search.search.query({ q: query, ...page }));
  return rows.map((contact) => contact.id);
}
