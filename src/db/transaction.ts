import type { EntityManager } from '@mikro-orm/postgresql';
import type { Pool, PoolClient, QueryResult } from 'pg';
import { messageOf, OutreachError, sqlState } from '../core/errors.ts';
import { type Query, type Queryable, queryOf, type Statement } from './statement.ts';

/** A running transaction: entities for records, statements for the rest, one connection for both. */
export interface Tx extends Queryable {
  /**
   * The entities of this transaction. What was changed in them is written before the next statement and before the
   * commit, so nobody needs to flush.
   */
  readonly em: EntityManager;
  /**
   * Runs `work` in a part of the transaction that is undone alone when it throws. It has entities of its own: none that a
   * statement may have overtaken.
   */
  savepoint<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>;
  /**
   * Has `work` done once the change is committed, before `tx` resolves, and never when it is rolled back: for what can't
   * be taken back, such as a mail. It must not use the transaction any more. Its failure is logged and changes nothing.
   */
  afterCommit(work: () => Promise<void>): void;
}

/** Runs a query on the connection of a transaction, after those that were asked before. */
export type Run = (query: Query | string) => Promise<QueryResult>;

/** What a transaction takes from outside. */
export interface TxParts {
  /** Makes an entity manager whose queries run in the transaction. */
  entities(run: Run): EntityManager;
  afterCommit: Tx['afterCommit'];
}

/** Runs `work` once in a transaction on a connection of the pool: committed, or rolled back when it throws. */
export function transaction<Result>(pool: Pool, parts: TxParts, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  return onTransaction(pool, 'begin', async (_, run) => {
    let savepoints = 0;
    const part = async <PartResult>(inPart: (tx: Tx) => Promise<PartResult>): Promise<PartResult> => {
      let em: EntityManager | undefined;
      const result = await inPart({
        get em() {
          em ??= parts.entities(run);
          return em;
        },
        async query<Row>(statement: Statement) {
          if (em !== undefined) await em.flush();
          return (await run(queryOf(statement))).rows as Row[];
        },
        async savepoint(inner) {
          await em?.flush();
          return atSavepoint(run, `part_${++savepoints}`, () => part(inner));
        },
        afterCommit: parts.afterCommit,
      });
      await em?.flush();
      return result;
    };
    return part(work);
  });
}

async function atSavepoint<Result>(run: Run, name: string, work: () => Promise<Result>): Promise<Result> {
  await run(`savepoint ${name}`);
  let result: Result;
  try {
    result = await work();
  } catch (error) {
    // Where the connection is lost, the transaction ends of that.
    await run(`rollback to savepoint ${name}`).catch(() => undefined);
    throw error;
  }
  await run(`release savepoint ${name}`);
  return result;
}

/**
 * Runs `work` between `begin` and `commit` on a connection of the pool, or `rollback` when it throws.
 * @param begin the statement that begins, and what is set for the time of the transaction
 */
export async function onTransaction<Result>(
  pool: Pool,
  begin: string,
  work: (client: PoolClient, run: Run) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  const { run, end } = inTurn(client);
  let failure: Error | undefined;
  try {
    await run(begin);
    const result = await work(client, run);
    await commit(run);
    return result;
  } catch (error) {
    await run('rollback').catch((lost: Error) => {
      failure = lost;
    });
    throw error;
  } finally {
    end();
    client.release(failure);
  }
}

async function commit(run: Run): Promise<void> {
  const { command } = await run('commit').catch((error: unknown) => {
    const state = sqlState(error) ?? '57P';
    if (!state.startsWith('57P')) throw error;
    // The connection broke or the server is shutting down (57P01 to 57P03): it may have come before or after the commit.
    const message = `it is unknown whether the change was made, because its commit failed: ${messageOf(error)}`;
    throw new OutreachError('internal_error', message, { cause: error });
  });
  // PostgreSQL does not call it an error when it rolls back what had failed.
  if (command === 'ROLLBACK')
    throw new OutreachError('internal_error', 'nothing was changed, because a statement of the transaction failed');
}

/** Runs queries on a connection one after the other, and none once the connection is given back. */
function inTurn(client: PoolClient): { run: Run; end(): void } {
  let last: Promise<unknown> = Promise.resolve();
  let isOver = false;
  const run: Run = (query) => {
    const result = last.then(() => {
      if (isOver) throw new Error('the transaction is over');
      return client.query(query);
    });
    last = result.catch(() => undefined);
    return result;
  };
  return {
    run,
    end: () => {
      isOver = true;
    },
  };
}
