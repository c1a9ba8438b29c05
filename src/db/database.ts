import { type EntityManager, MikroORM, type Options } from '@mikro-orm/postgresql';
import { CompiledQuery, type Transaction } from 'kysely';
import type { ClientBase, Pool, PoolClient } from 'pg';
import { messageOf, OutreachError, sqlState } from '../core/errors.ts';
import type { Logger } from '../core/log.ts';
import { keyedTransaction, openKeyedPool } from './by-key.ts';
import { openLookups } from './lookups.ts';
import { type BulkTx, isLookup, preparedName, type Queryable, type Sql, type Tx } from './statement.ts';

export * from './statement.ts';

export interface Database extends Queryable {
  readonly orm: MikroORM;
  /** The pool itself, for COPY and LISTEN. */
  readonly pool: Pool;
  /**
   * Connections apart for what is done for every mail. Statements there must find all rows by their keys, since the
   * planner may not scan tables; their transactions have no entities.
   */
  readonly byKey: Pick<Database, 'query' | 'tx'>;
  /**
   * Runs `work` in one transaction, commits what it flushed, rolls everything back when it throws. A transaction that
   * PostgreSQL ended for a serialisation failure or a deadlock (40001, 40P01) is run again, whole, up to three times.
   */
  tx<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>;
  /**
   * Runs `work` in one transaction on a connection of its own, once. When `signal` aborts, the running statement is
   * cancelled and everything rolled back. @param mode what follows `begin`, for example `isolation level repeatable read`
   */
  bulk<Result>(work: (tx: BulkTx) => Promise<Result>, options?: { signal?: AbortSignal | undefined; mode?: string }): Promise<Result>;
  /** The database as that running transaction sees it: statements run inside of it, and every `tx` is a savepoint of it. */
  within(tx: Tx): Database;
  close(): Promise<void>;
}

/** Gives a connection's prepared statements their names; MikroORM and pg would send every statement without one. */
function namePrepared(client: ClientBase): void {
  const query = client.query.bind(client) as (statement: unknown, ...rest: unknown[]) => unknown;
  client.query = ((statement: unknown, ...rest: unknown[]) => {
    const name = typeof statement === 'string' ? preparedName(statement) : undefined;
    return query(name === undefined ? statement : { name, text: statement }, ...rest);
  }) as ClientBase['query'];
}

const RETRYABLE = new Set(['40001', '40P01']);
const TRANSACTION_TRIES = 3;

/** int8 as a number: every id and count of ours stays far below 2^53. */
const INT8 = 20;

/** One for the permits of mails, one for what records them; neither ever waits behind a slow read. */
const KEYED_CONNECTIONS = 2;

/** Opens the pool and the entity manager on it. @param entities the entities of all rooms, from `entities.ts` */
export async function openDatabase(
  url: string,
  log: Logger,
  options: Pick<Options, 'entities' | 'migrations' | 'extensions'> & { poolSize?: number; applicationName?: string },
): Promise<Database> {
  const poolSize = options.poolSize ?? 10;
  const session = {
    application_name: options.applicationName ?? 'outreach',
    statement_timeout: 60_000,
    idle_in_transaction_session_timeout: 60_000,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
  };
  const adapt = (client: ClientBase) => {
    client.setTypeParser(INT8, Number);
    namePrepared(client);
  };
  const orm = await MikroORM.init({
    ...options,
    clientUrl: url,
    forceUtcTimezone: true,
    ignoreUndefinedInQuery: true,
    discovery: { warnWhenNoEntities: false },
    pool: { min: 0, max: poolSize },
    driverOptions: {
      ...session,
      // Before the first connection is made; a listener added later would miss that one.
      onPoolCreated: (pool: Pool) => void pool.on('connect', adapt),
    },
    logger: (message: string) => log.debug({ message }, 'mikro-orm'),
  } as Options);
  const pool = (await orm.em.getConnection().getNativeClient()) as Pool;
  const keyed = openKeyedPool({ ...session, connectionString: url, max: KEYED_CONNECTIONS }, adapt);
  // For prepared reads that are no look-ups.
  const reading = openKeyedPool({ ...session, connectionString: url, max: Math.ceil(poolSize / 2) }, adapt);
  // A server that restarts ends idle connections; without this listener that would end the process.
  const onLost = (error: Error) => log.warn({ error: messageOf(error) }, 'database connection lost');
  for (const each of [pool, keyed, reading]) each.on('error', onLost);

  const runOn =
    (on: Pool): Queryable['query'] =>
    async <Row>({ text, values }: Sql) =>
      (await on.query(text, values)).rows as Row[];

  const lookups = openLookups({ ...session, connectionString: url }, { query: runOn(reading) }, adapt, onLost);
  const query = <Row>(statement: Sql): Promise<Row[]> => {
    const { text } = statement;
    if (isLookup(text)) return lookups.query(statement);
    return runOn(preparedName(text) === undefined ? pool : reading)(statement);
  };

  const transaction = <Result>(em: EntityManager, work: (tx: Tx) => Promise<Result>, afterCommit: Tx['afterCommit']) =>
    em.transactional(
      async (inner) => {
        const context = inner.getTransactionContext<Transaction<unknown>>();
        if (context === undefined) throw new Error('no transaction context');
        const query = async <Row>(statement: Sql): Promise<Row[]> => {
          const { rows } = await context.executeQuery(CompiledQuery.raw(statement.text, [...statement.values]));
          return rows as Row[];
        };
        return work({ em: inner as EntityManager, query, afterCommit });
      },
      // Inside a savepoint too nothing is read from an identity map that a statement may have overtaken.
      { clear: true },
    );

  const once = async <Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> => {
    const todo: (() => Promise<void>)[] = [];
    const result = await transaction(orm.em.fork(), work, (task) => void todo.push(task));
    for (const task of todo) await task().catch((error: unknown) => log.error({ err: error }, 'work after a commit failed'));
    return result;
  };

  const database: Database = {
    orm,
    pool,
    query,
    tx: (work) => retried(log, () => once(work)),
    byKey: { query: runOn(keyed), tx: (work) => retried(log, () => keyedTransaction(keyed, log, work)) },
    bulk: (work, options) => bulkTransaction(pool, work, options),
    within: (tx) => {
      const inner: Database['byKey'] = { query: tx.query, tx: (work) => transaction(tx.em, work, tx.afterCommit) };
      return { ...database, ...inner, byKey: inner };
    },
    close: async () => void (await Promise.all([orm.close(true), keyed.end(), reading.end(), lookups.close()])),
  };
  return database;
}

async function retried<Result>(log: Logger, run: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      const code = sqlState(error) ?? '';
      if (attempt >= TRANSACTION_TRIES || !RETRYABLE.has(code)) throw error;
      log.debug({ code, attempt }, 'transaction is run again');
    }
  }
}

async function bulkTransaction<Result>(
  pool: Pool,
  work: (tx: BulkTx) => Promise<Result>,
  { signal, mode = '' }: { signal?: AbortSignal | undefined; mode?: string } = {},
): Promise<Result> {
  signal?.throwIfAborted();
  const client = await pool.connect();
  const { processID } = client as PoolClient & { processID: number };
  const cancel = () => void pool.query('select pg_cancel_backend($1)', [processID]).catch(() => undefined);
  signal?.addEventListener('abort', cancel);
  let failure: Error | undefined;
  // A connection that is cut between two statements tells so by this event alone.
  const lost = (error: Error) => {
    failure = error;
  };
  client.on('error', lost);
  try {
    await client.query(`begin ${mode}; set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0`);
    const result = await work({
      client,
      async query<Row>(statement: Sql) {
        signal?.throwIfAborted();
        return (await client.query(statement.text, statement.values)).rows as Row[];
      },
    });
    signal?.throwIfAborted();
    await client.query('commit').catch((error: unknown) => {
      throw new OutreachError(
        'internal_error',
        `it is not known whether the change was made, since its commit failed: ${messageOf(error)}`,
      );
    });
    return result;
  } catch (error) {
    await client.query('rollback').catch(lost);
    throw signal?.aborted ? signal.reason : error;
  } finally {
    signal?.removeEventListener('abort', cancel);
    client.off('error', lost);
    client.release(failure);
  }
}
