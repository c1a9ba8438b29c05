import { type Queryable, sql } from '../db/statement.ts';

/** Returns the id of the latest reply of all workspaces; 0 before the first. Index: replies_pkey. */
export async function newestReplyId(db: Queryable): Promise<number> {
  const [row] = await db.query<{ id: number }>(sql`select coalesce(max(id), 0)::int as id from replies`);
  return row?.id ?? 0;
}
