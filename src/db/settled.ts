import { setTimeout as pause } from 'node:timers/promises';
import { type Queryable, raw, sql } from './statement.ts';

const CHECK_MILLISECONDS = 25;

/** Longest wait for the transactions that write the table. Most of them take milliseconds. */
const WAIT_MILLISECONDS = 2_000;

/**
 * Finds an id up to which a table is complete: every row with that id or a smaller one is visible to the next statement, or never will
 * be. Ids are handed out before transactions commit, so a smaller one may become visible after a greater one. Whoever writes a table
 * holds its ROW EXCLUSIVE lock until the commit (PostgreSQL manual, 13.3.1), so it is enough to wait for those that hold it now.
 * Returns null if one of them holds it for longer than the wait.
 * @param table whose `id` comes from a sequence; not from input
 */
export async function settledId(db: Queryable, table: 'replies', waitMilliseconds = WAIT_MILLISECONDS): Promise<number | null> {
  const until = performance.now() + waitMilliseconds;
  // The greatest id is that of the snapshot, which the statement takes before it reads the locks.
  const [top] = await db.query<{ id: number; writers: string[] }>(sql`
    select (select coalesce(max(id), 0) from ${raw(table)})::int as id, ${writersOf(table)} as writers`);
  let writers = top?.writers ?? [];
  while (writers.length > 0) {
    if (performance.now() > until) return null;
    await pause(CHECK_MILLISECONDS);
    const [now] = await db.query<{ writers: string[] }>(sql`select ${writersOf(table)} as writers`);
    writers = writers.filter((writer) => now?.writers.includes(writer));
  }
  return top?.id ?? 0;
}

/** The virtual ids of the transactions that write a table. */
const writersOf = (table: string) => sql`array(
  select virtualtransaction from pg_locks
  where locktype = 'relation' and relation = ${table}::regclass and mode = 'RowExclusiveLock' and granted
    and database = (select oid from pg_database where datname = current_database()))`;
