import type { Database } from './database.ts';
import { type Queryable, sql } from './statement.ts';

/** Work that only one process on a database may do at a time. The numbers are the same in every version. */
const LOCKS = {
  migration: 4_891_022,
  install: 4_891_023,
  'job registration': 4_891_024,
  'secret rotation': 4_891_025,
};

export type DatabaseLock = keyof typeof LOCKS;

/** Takes the lock for the rest of the transaction that `tx` is; waits while another has it, as long as its statements may run. */
export async function lockInTransaction(tx: Queryable, lock: DatabaseLock): Promise<void> {
  await tx.query(sql`set local lock_timeout = 0`);
  await tx.query(sql`select pg_advisory_xact_lock(${LOCKS[lock]})`);
}

/** The same for what is locked by name, such as a path; it is waited for as long as for a row. */
export const lockNameInTransaction = (tx: Queryable, name: string): Promise<unknown> =>
  tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`);

/**
 * Does `work`, which may run transactions of its own, while this process has the lock. Another that has it is waited for,
 * however long; or with `refuse` given, that is thrown.
 */
export async function underLock<Result>(
  db: Database,
  lock: DatabaseLock,
  work: () => Promise<Result>,
  { refuse }: { refuse?: Error } = {},
): Promise<Result> {
  const client = await db.pool.connect();
  try {
    // Of a transaction, so that not even a pooler between us and PostgreSQL can leave it behind.
    await client.query(
      'begin; set local statement_timeout = 0; set local lock_timeout = 0; set local idle_in_transaction_session_timeout = 0',
    );
    const take = refuse === undefined ? 'pg_advisory_xact_lock($1) is not null' : 'pg_try_advisory_xact_lock($1)';
    const { rows } = await client.query<{ locked: boolean }>(`select ${take} as locked`, [LOCKS[lock]]);
    if (refuse !== undefined && rows[0]?.locked !== true) throw refuse;
    return await work();
  } finally {
    // A connection that was lost has given the lock back by itself, and is no good for anybody else.
    const lost = await client.query('rollback').then(
      () => undefined,
      (error: Error) => error,
    );
    client.release(lost);
  }
}
