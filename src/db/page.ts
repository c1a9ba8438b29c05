import { type Queryable, type Sql, type Statement, sql } from './statement.ts';

/** Where a page begins and how many rows it holds. */
export interface PageRequest {
  limit: number;
  offset: number;
}

export interface Page<Row> {
  data: Row[];
  pagination: { total: number; limit: number; offset: number };
}

/**
 * Reads one page of a list, and the exact total of all its rows.
 * @param rows selects, filters and orders; limit and offset are added here
 * @param total gives one row with the integer column `total`
 */
export async function listPage<Row>(db: Queryable, rows: Sql, total: Statement, page: PageRequest): Promise<Page<Row>> {
  const [data, [count]] = await Promise.all([
    db.query<Row>(sql`${rows} limit ${page.limit} offset ${page.offset}`),
    db.query<{ total: number }>(total),
  ]);
  return { data, pagination: { total: count?.total ?? 0, limit: page.limit, offset: page.offset } };
}

/**
 * The most rows that the total of a page counts where counting all would take too long: up to `counted` it is exact. Of more it is greater than
 * the end of the page as long as more follow, so that a client that reads page by page until the total reads all.
 */
export const mostCounted = ({ limit, offset }: PageRequest, counted: number): number => Math.max(counted, offset + limit) + 1;
