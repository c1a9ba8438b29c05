import { tracingChannel } from 'node:diagnostics_channel';
import type { EntityManager, EntityMetadata } from '@mikro-orm/postgresql';
import type { PoolClient, QueryResult } from 'pg';
import { messageOf, OutreachError } from '../core/errors.ts';
import { isConnectionLost } from './connection-loss.ts';
import type { SessionPool } from './pools.ts';
import { beginOn } from './session.ts';
import { type Query, type Queryable, queryOf, type Statement } from './statement.ts';

/** A running transaction: entities for records, statements for the rest, one connection for both. */
export interface Tx extends Queryable {
  /**
   * Returns an entity by its name, with the entity manager of this transaction. It is created on first use, so that MikroORM is loaded only
   * for callers that change a record. Pending changes are written before the next statement and before the commit, so callers do not flush.
   */
  entity<Entity>(name: string): Promise<TxEntity<Entity>>;
  /**
   * Runs `work` at a savepoint: if it throws, only its changes are rolled back. It has an entity manager of its own, so that no entity is
   * older than a statement that changed its row.
   */
  savepoint<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>;
  /**
   * Runs `work` after the commit, before `tx` resolves, and never after a rollback: for effects that can't be undone, such as
   * an email. It must not use the transaction. Its failure is logged and changes nothing.
   */
  afterCommit(work: () => Promise<void>): void;
}

interface TxEntity<Entity> {
  em: EntityManager;
  metadata: EntityMetadata<Entity>;
}

/** MikroORM, as transactions use it. */
export interface Orm {
  /** An entity by its name. Throws if there is none. */
  entity<Entity>(name: string): EntityMetadata<Entity>;
  /** Creates an entity manager whose queries go through `run`. */
  entityManager(run: Run): EntityManager;
}

/** Runs a query on the connection of a transaction after the earlier ones have ended. */
export type Run = (query: Query | string) => Promise<QueryResult>;

/** The parts of a transaction that its opener supplies. */
export interface TxParts {
  /** Opens MikroORM, once. */
  orm(): Promise<Orm>;
  afterCommit: Tx['afterCommit'];
  /** Statements that change the settings of the transaction (`set local`). */
  settings?: string | undefined;
}

/** Traces the work of every transaction, so that a subscriber can tell what happens inside one. */
const transactions = tracingChannel('outreach:transaction');

/** Runs `work` once in a transaction on a connection of the pool; rolls back if it throws. */
export function transaction<Result>(sessionPool: SessionPool, parts: TxParts, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  return onTransaction(sessionPool, parts, async (_, run) => {
    let savepoints = 0;
    // The work of the transaction, or of a savepoint in it: each has an entity manager of its own.
    const runPart = async <PartResult>(workOfPart: (tx: Tx) => Promise<PartResult>): Promise<PartResult> => {
      let em: EntityManager | undefined;
      const result = await workOfPart({
        async entity<Entity>(name: string) {
          const orm = await parts.orm();
          const metadata = orm.entity<Entity>(name);
          em ??= orm.entityManager(run);
          return { em, metadata };
        },
        async query<Row>(statement: Statement) {
          if (em !== undefined) await em.flush();
          return (await run(queryOf(statement, !sessionPool.session.isPooled))).rows as Row[];
        },
        async savepoint(inner) {
          await em?.flush();
          return atSavepoint(run, `part_${++savepoints}`, () => runPart(inner));
        },
        afterCommit: parts.afterCommit,
      });
      await em?.flush();
      return result;
    };
    return runPart(work);
  });
}

async function atSavepoint<Result>(run: Run, name: string, work: () => Promise<Result>): Promise<Result> {
  await run(`savepoint ${name}`);
  let result: Result;
  try {
    result = await work();
  } catch (error) {
    // A lost connection ends the whole transaction anyway.
    await run(`rollback to savepoint ${name}`).catch(() => undefined);
    throw error;
  }
  await run(`release savepoint ${name}`);
  return result;
}

/**
 * Runs `work` between `begin` and `commit` on a connection of the pool; rolls back if it throws. Throws `internal_error` if the connection
 * broke during the commit, so that its outcome is unknown, and if PostgreSQL answered the commit with ROLLBACK because the error of a
 * statement had been ignored.
 * @param begin.mode options of `begin`, for example `isolation level repeatable read`
 * @param begin.settings statements that change the settings of the transaction (`set local`)
 */
export async function onTransaction<Result>(
  { pool, session }: SessionPool,
  { mode, settings }: { mode?: string; settings?: string | undefined },
  work: (client: PoolClient, run: Run) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  const { run, end } = inTurn(client);
  let failure: Error | undefined;
  try {
    await run([beginOn(session, mode), settings].filter(Boolean).join('; '));
    const result = await transactions.tracePromise(() => work(client, run));
    await requireCommitted(run('commit'));
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

async function requireCommitted(commit: Promise<QueryResult>): Promise<void> {
  const { command } = await commit.catch(throwCommitFailure);
  if (command === 'ROLLBACK')
    throw new OutreachError('internal_error', 'nothing was changed, because a statement of the transaction failed');
}

/** Throws the error of a commit; if the connection was lost, an error that says that the change may have been made. */
function throwCommitFailure(error: unknown): never {
  if (!isConnectionLost(error)) throw error;
  const message = `it is unknown whether the change was made, because its commit failed: ${messageOf(error)}`;
  throw new OutreachError('internal_error', message, { cause: error });
}

/** Runs the queries of a transaction one after the other, since pg deprecates starting one while another runs; refuses them once it is over. */
function inTurn(client: PoolClient): { run: Run; end(): void } {
  let isOver = false;
  let last: Promise<unknown> = Promise.resolve();
  return {
    async run(query) {
      if (isOver) throw new Error('the transaction is over');
      const result = last.then(() => client.query(query));
      last = result.catch(() => undefined);
      return result;
    },
    end: () => {
      isOver = true;
    },
  };
}
