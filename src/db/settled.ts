import { type Queryable, sql } from './statement.ts';

/** The classes of the advisory locks that writers of a table hold; the table's trigger `announce_rows` takes them. */
const LOCK_CLASSES = { events: 1701, replies: 1702 } as const;
/** A lock names an id modulo this, since the key of a lock has 31 bits. */
const ID_SPAN = 2 ** 31;

/**
 * Returns the highest id of a table up to which every row is visible to the next statement, or never will be. Ids are given out before
 * transactions commit, so a smaller one may become visible after a greater one, and whoever reads on from the greatest id they saw would
 * miss it. A transaction that inserts holds a shared advisory lock, from before its first row until it ends, which names the last id given
 * out by then. The last id is read here before the locks: whoever was given an earlier one still holds a lock, or has ended.
 */
export async function settledId(db: Queryable, table: keyof typeof LOCK_CLASSES): Promise<number> {
  const [row] = await db.query<{ settled: number }>(sql`
    with given as materialized (select coalesce(pg_sequence_last_value(pg_get_serial_sequence(${table}, 'id')::regclass), 0) as last)
    select least(given.last, (
      select given.last - max((given.last - l.objid::bigint) % ${ID_SPAN}) from pg_locks l
      where l.locktype = 'advisory' and l.classid = ${LOCK_CLASSES[table]} and l.objsubid = 2
        and l.database = (select oid from pg_database where datname = current_database()))) as settled
    from given`);
  return row?.settled ?? 0;
}
