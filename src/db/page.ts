import { type Queryable, type Sql, type Statement, sql } from './statement.ts';

/** The beginning of a page and its maximum number of rows. */
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
 * Returns how many rows to count for the total of a page, where counting all of them would take too long. Up to `counted`, the total is
 * exact. Above that, it exceeds the end of the page as long as more rows follow, so that a client that reads page by page up to the total
 * gets them all.
 */
export const mostCounted = ({ limit, offset }: PageRequest, counted: number): number => Math.max(counted, offset + limit) + 1;
