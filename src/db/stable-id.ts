import { type Queryable, sql } from './statement.ts';
import type { Tx } from './transaction.ts';

/** Tables whose readers continue from the last id they saw, with the class of the advisory locks that their writers hold. */
const LOCK_CLASSES = { events: 1701, replies: 1702 } as const;
type FollowedTable = keyof typeof LOCK_CLASSES;

/** A lock names an id modulo this, since the key of a lock has 31 bits. */
const ID_SPAN = 2 ** 31;

const lastIdOf = (table: FollowedTable) => sql`coalesce(pg_sequence_last_value(pg_get_serial_sequence(${table}, 'id')::regclass), 0)`;

/** The transactions that have announced rows: the first lock of each has the lowest id. */
const announced = new WeakMap<Tx, Set<FollowedTable>>();

/**
 * Announces that the transaction is about to insert rows. Ids are given out before transactions commit, so a smaller one may become visible
 * after a greater one, and a reader that continues from the greatest id it saw would miss it. So the transaction holds a shared advisory lock until
 * it ends, which names the last id given out by now: all of its rows get greater ones. The lock never waits, since it is never taken exclusively.
 */
export async function announceRows(tx: Tx, table: FollowedTable): Promise<void> {
  const tables = announced.get(tx) ?? new Set();
  announced.set(tx, tables);
  if (tables.has(table)) return;
  await tx.query(sql`select pg_advisory_xact_lock_shared(${LOCK_CLASSES[table]}, (${lastIdOf(table)} % ${ID_SPAN})::int)`);
  tables.add(table);
}

/**
 * Returns the highest id of a table up to which every row is visible to the next statement, or never will be. The last id given out is read
 * before the locks: every transaction with an earlier one has announced it, and still holds its lock or has ended.
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
