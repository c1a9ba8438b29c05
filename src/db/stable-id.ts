import { type Queryable, sql } from './statement.ts';
import type { Tx } from './transaction.ts';

/** Tables whose readers continue from the last id they saw, with the class of the advisory locks that their writers hold. */
const LOCK_CLASSES = { events: 1701, replies: 1702 } as const;
type FollowedTable = keyof typeof LOCK_CLASSES;

/** The key of a lock is an id modulo this, since it has 31 bits. */
const ID_SPAN = 2 ** 31;

const lastIdOf = (table: FollowedTable) => sql`coalesce(pg_sequence_last_value(pg_get_serial_sequence(${table}, 'id')::regclass), 0)`;

/** The tables that each transaction has announced. Its first lock on a table names the lowest id, so it needs no second one. */
const announced = new WeakMap<Tx, Set<FollowedTable>>();

/**
 * Announces that the transaction is about to insert rows. Ids are assigned before transactions commit, so a lower id may become visible
 * after a higher one, and a reader that continues from the highest id it saw would miss it. So the transaction holds a shared advisory lock
 * until it ends. The lock names the last id assigned so far: all rows of the transaction get higher ones. Taking it never waits, since it
 * is never taken exclusively.
 */
export async function announceRows(tx: Tx, table: FollowedTable): Promise<void> {
  const tables = announced.get(tx) ?? new Set();
  announced.set(tx, tables);
  if (tables.has(table)) return;
  await tx.query(sql`select pg_advisory_xact_lock_shared(${LOCK_CLASSES[table]}, (${lastIdOf(table)} % ${ID_SPAN})::int)`);
  tables.add(table);
}

/**
 * Returns the highest id of a table up to which every row is visible to the next statement, or never will be. The last assigned id is read
 * before the locks: every transaction with a lower id has announced it, and either still holds its lock or has ended.
 */
export async function lastStableId(db: Queryable, table: FollowedTable): Promise<number> {
  const [row] = await db.query<{ stable: number }>(sql`
    with given as materialized (select ${lastIdOf(table)} as last)
    select least(given.last, (
      select given.last - max((given.last - l.objid::bigint) % ${ID_SPAN}) from pg_locks l
      where l.locktype = 'advisory' and l.classid = ${LOCK_CLASSES[table]} and l.objsubid = 2
        and l.database = (select oid from pg_database where datname = current_database()))) as stable
    from given`);
  return row?.stable ?? 0;
}
