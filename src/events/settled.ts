import { type Queryable, sql } from '../db/statement.ts';

/** The class of the advisory locks that transactions with events hold. */
const ANNOUNCED = 1701;
/** A lock has the id modulo this, as a lock's key has 31 bits. */
const ID_SPAN = 2 ** 31;

/**
 * Returns the highest id up to which every event is visible, or never will be. The last id given out is read before the locks:
 * whoever was given one up to there announced it before, and either holds the lock still or has ended, and then the next
 * statement sees its events. See the trigger in migrations/0007-events.ts.
 */
export async function settledEvents(db: Queryable): Promise<number> {
  const [row] = await db.query<{ settled: number }>(sql`
    with given as materialized (select last_value - (not is_called)::int as last from events_id_seq)
    select least(given.last, (
      select given.last - max((given.last - l.objid::bigint) % ${ID_SPAN}) from pg_locks l
      where l.locktype = 'advisory' and l.classid = ${ANNOUNCED} and l.objsubid = 2
        and l.database = (select oid from pg_database where datname = current_database()))) as settled
    from given`);
  return row?.settled ?? 0;
}
