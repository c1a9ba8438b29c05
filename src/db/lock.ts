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

/** Takes the lock until the transaction `tx` ends. Waits while another process has it, for as long as a statement may run. */
export async function lockInTransaction(tx: Queryable, lock: DatabaseLock): Promise<void> {
  await tx.query(sql`set local lock_timeout = 0`);
  await tx.query(sql`select pg_advisory_xact_lock(${LOCKS[lock]})`);
}

/** Takes a lock on a name, such as a path, until the transaction `tx` ends. Waits for it as long as for a row lock. */
export const lockNameInTransaction = (tx: Queryable, name: string): Promise<unknown> =>
  tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`);

/**
 * Runs `work`, which may run transactions of its own, while this process has the lock. If another process has it, waits without a time
 * limit, or throws `refuse` if that is given.
 */
export async function underLock<Result>(
  db: Database,
  lock: DatabaseLock,
  work: () => Promise<Result>,
  { refuse }: { refuse?: Error } = {},
): Promise<Result> {
  const client = await db.pool.connect();
  try {
    // The lock belongs to a transaction, so that it can't be left behind even if there is a pooler between us and PostgreSQL.
    await client.query(
      'begin; set local statement_timeout = 0; set local lock_timeout = 0; set local idle_in_transaction_session_timeout = 0',
    );
    const take = refuse === undefined ? 'pg_advisory_xact_lock($1) is not null' : 'pg_try_advisory_xact_lock($1)';
    const { rows } = await client.query<{ locked: boolean }>(`select ${take} as locked`, [LOCKS[lock]]);
    if (refuse !== undefined && rows[0]?.locked !== true) throw refuse;
    return await work();
  } finally {
    // A lost connection has already released the lock, and must not be reused.
    const lost = await client.query('rollback').then(
      () => undefined,
      (error: Error) => error,
    );
    client.release(lost);
  }
}
