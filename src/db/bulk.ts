import type { PoolClient } from 'pg';
import type { SessionPool } from './pools.ts';
import { type Queryable, queryOf, type Statement } from './statement.ts';
import { onTransaction } from './transaction.ts';

/** A running transaction with its connection, for COPY. Its statements have no time limit. */
export interface BulkTx extends Queryable {
  readonly client: PoolClient;
}

export interface BulkOptions {
  signal?: AbortSignal | undefined;
  /** Options of `begin`, for example `isolation level repeatable read`. */
  mode?: string;
}

/**
 * Runs `work` once in a transaction on a connection of its own. If the signal aborts, cancels the running statement, rolls everything back
 * and throws the signal's reason.
 */
export async function bulkTransaction<Result>(
  on: SessionPool,
  work: (tx: BulkTx) => Promise<Result>,
  { signal, mode = '' }: BulkOptions = {},
): Promise<Result> {
  signal?.throwIfAborted();
  const settings = 'set local statement_timeout = 0; set local lock_timeout = 0; set local idle_in_transaction_session_timeout = 0';
  const done = onTransaction(on, { mode, settings }, async (client, run) => {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    let cancelled: Promise<unknown> | undefined;
    const cancel = () => {
      cancelled = on.pool.query('select pg_cancel_backend($1)', [rows[0]?.pid]).catch(() => undefined);
    };
    signal?.addEventListener('abort', cancel);
    try {
      return await work({
        client,
        async query<Row>(statement: Statement) {
          signal?.throwIfAborted();
          return (await run(queryOf(statement, !on.session.isPooled))).rows as Row[];
        },
      });
    } catch (error) {
      // A COPY whose rows are no longer read would block a rollback forever. Closing the connection makes the server roll back too.
      await cancelled;
      await client.end();
      throw error;
    } finally {
      signal?.removeEventListener('abort', cancel);
      // A late cancellation would hit the next statement on this connection, which may be another caller's.
      await cancelled;
    }
  });
  return done.catch((error: unknown) => {
    throw signal?.aborted ? signal.reason : error;
  });
}
