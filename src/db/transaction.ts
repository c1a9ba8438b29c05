import type { EntityManager } from '@mikro-orm/postgresql';
import type { PoolClient, QueryResult } from 'pg';
import { messageOf, OutreachError } from '../core/errors.ts';
import { isConnectionLost } from './connection-loss.ts';
import type { SessionPool } from './pools.ts';
import { beginOn } from './session.ts';
import { type Query, type Queryable, queryOf, type Statement } from './statement.ts';

/** A running transaction: entities for records, statements for the rest, one connection for both. */
export interface Tx extends Queryable {
  /**
   * Runs the last statement of the transaction. The commit travels with it, and rolls back if it fails. At a savepoint it is a statement
   * like any other. Throws `internal_error` when the connection broke meanwhile, so that the outcome is unknown.
   */
  last<Row = Record<string, unknown>>(statement: Statement): Promise<Row[]>;
  /**
   * The entity manager of this transaction, created on first use. Pending changes are written before the next statement and
   * before the commit, so callers do not flush.
   */
  readonly em: EntityManager;
  /**
   * Runs `work` at a savepoint: if it throws, its changes alone are rolled back. It has an entity manager of its own, so that
   * no entity is older than a statement that changed its row.
   */
  savepoint<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>;
  /**
   * Runs `work` after the commit, before `tx` resolves, and never after a rollback: for effects that can't be undone, such as
   * an email. It must not use the transaction. Its failure is logged and changes nothing.
   */
  afterCommit(work: () => Promise<void>): void;
}

/** Runs a query on the connection of a transaction once those before it have ended. */
export type Run = (query: Query | string) => Promise<QueryResult>;

/** The parts of a transaction that its opener supplies. */
export interface TxParts {
  /** Creates an entity manager whose queries run in the transaction. */
  entities(run: Run): EntityManager;
  afterCommit: Tx['afterCommit'];
  /** Statements that change the settings of the transaction (`set local`). */
  settings?: string | undefined;
}

/** Runs `work` once in a transaction on a connection of the pool; rolls back if it throws. */
export function transaction<Result>(on: SessionPool, parts: TxParts, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  return onTransaction(on, parts, async (_, run, runLast) => {
    let savepoints = 0;
    const part = async <PartResult>(inPart: (tx: Tx) => Promise<PartResult>, runLastOfPart: Run): Promise<PartResult> => {
      let em: EntityManager | undefined;
      const onPart =
        (runIt: Run) =>
        async <Row>(statement: Statement) => {
          if (em !== undefined) await em.flush();
          return (await runIt(queryOf(statement, !on.session.isPooled))).rows as Row[];
        };
      const result = await inPart({
        get em() {
          em ??= parts.entities(run);
          return em;
        },
        query: onPart(run),
        last: onPart(runLastOfPart),
        async savepoint(inner) {
          await em?.flush();
          return atSavepoint(run, `part_${++savepoints}`, () => part(inner, run));
        },
        afterCommit: parts.afterCommit,
      });
      await em?.flush();
      return result;
    };
    return part(work, runLast);
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
 * Runs `work` between `begin` and `commit` on a connection of the pool; rolls back if it throws. Throws `internal_error` when
 * the connection broke during the commit, so that its outcome is unknown, and when PostgreSQL answered the commit with ROLLBACK
 * because a failed statement had been ignored.
 * @param begin.mode options of `begin`, for example `isolation level repeatable read`
 * @param begin.settings statements that change the settings of the transaction (`set local`)
 */
export async function onTransaction<Result>(
  { pool, session }: SessionPool,
  { mode, settings }: { mode?: string; settings?: string | undefined },
  work: (client: PoolClient, run: Run, runLast: Run) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  const { run, runLast, commit, rollback, end } = inTurn(client);
  let failure: Error | undefined;
  try {
    const begun = run([beginOn(session, mode), settings].filter(Boolean).join('; '));
    // On a pipelined connection it travels with the first statement: it fails only with the connection.
    if (!client.pipeline) await begun;
    const [result] = await Promise.all([work(client, run, runLast), begun]);
    await committed(commit());
    return result;
  } catch (error) {
    await rollback().catch((lost: Error) => {
      failure = lost;
    });
    throw error;
  } finally {
    end();
    client.release(failure);
  }
}

async function committed(result: Promise<QueryResult>): Promise<void> {
  const { command } = await result.catch(refuseToGuess);
  if (command === 'ROLLBACK')
    throw new OutreachError('internal_error', 'nothing was changed, because a statement of the transaction failed');
}

/** Throws the error; that of a lost connection says that the commit may have been made. */
function refuseToGuess(error: unknown): never {
  if (!isConnectionLost(error)) throw error;
  const message = `it is unknown whether the change was made, because its commit failed: ${messageOf(error)}`;
  throw new OutreachError('internal_error', message, { cause: error });
}

interface Turns {
  run: Run;
  /** Runs a query, and commits unless it fails. */
  runLast: Run;
  commit(): Promise<QueryResult>;
  rollback(): Promise<unknown>;
  end(): void;
}

/** Runs the queries of a transaction in their order, and refuses them once it is over. A pipelined connection sends those of one turn together. */
function inTurn(client: PoolClient): Turns {
  let isOver = false;
  let committing: Promise<QueryResult> | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const send: Run = (query) => {
    if (client.pipeline) {
      sendTogether(client);
      return client.query(query);
    }
    // pg deprecates a query that is given to such a connection while another runs.
    const result = last.then(() => client.query(query));
    last = result.catch(() => undefined);
    return result;
  };
  const run: Run = async (query) => {
    if (isOver || committing !== undefined) throw new Error('the transaction is over');
    return send(query);
  };
  const commit = () => {
    committing ??= send('commit');
    return committing;
  };
  return {
    run,
    async runLast(query) {
      const result = run(query).catch(refuseToGuess);
      // Whoever commits gets its error.
      if (!isOver) commit().catch(() => undefined);
      return result;
    },
    commit,
    // A commit after a failed statement has rolled back.
    rollback: () => committing?.catch(() => send('rollback')) ?? send('rollback'),
    end: () => {
      isOver = true;
    },
  };
}

/** Holds back what a client writes in this turn until its end: each packet wakes the server once, which costs more than a short statement. */
function sendTogether({ connection: { stream } }: PoolClient): void {
  stream.cork();
  process.nextTick(() => stream.uncork());
}
