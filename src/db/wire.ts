import { type Queryable, raw, type Sql, type Statement, sql } from './database.ts';

/** A timestamptz column as the API shows it: UTC, `YYYY-MM-DD HH:MM:SS`. For use in a select list. */
export const timestamp = (column: string): Sql => raw(`to_char(${column} at time zone 'utc', 'YYYY-MM-DD HH24:MI:SS')`);

/** An instant as the API shows it: UTC, `YYYY-MM-DD HH:MM:SS`. */
export const wireTime = (instant: Date): string => instant.toISOString().slice(0, 19).replace('T', ' ');

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
 * Answers a list: the page's rows and the exact total of all rows.
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
