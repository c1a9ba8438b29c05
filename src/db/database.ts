import type { CustomTypesConfig, Pool } from 'pg';
import { messageOf, sqlState } from '../core/errors.ts';
import type { Owner } from '../core/fair-turns.ts';
import type { Logger } from '../core/log.ts';
import { type BulkOptions, type BulkTx, bulkTransaction } from './bulk.ts';
import type { Orm, OrmOptions } from './entity-manager.ts';
import { type Lookups, openLookups } from './lookups.ts';
import { type PoolTurns, poolOf, poolTurns } from './pool-turns.ts';
import { openPools, type Pools, readingConnections, type SessionPool } from './pools.ts';
import { pooledSessionOf, REQUEST_LIMITS, sessionOf, settingsOf } from './session.ts';
import { type Queryable, queryOf, type Statement } from './statement.ts';
import { onTransaction, type Tx, transaction } from './transaction.ts';
import { countedTypes } from './value-types.ts';

export interface Database extends Queryable {
  /** MikroORM, which is loaded and opened on first use: what only reads needs none of it. */
  orm(): Promise<Orm>;
  /** The names of the migrations that this program has, in their order. */
  readonly migrations: readonly string[];
  /** The main pool itself, for COPY and LISTEN. */
  readonly pool: Pool;
  /**
   * Runs `work` in one transaction and rolls back if it throws. After a serialisation failure or a deadlock (SQLSTATE 40001,
   * 40P01) the whole transaction runs again, up to three times in all.
   */
  tx<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>;
  /**
   * The same on the connections for what runs for every email. Statements must find all rows by key, since the planner may not
   * scan tables there.
   */
  txByKey<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>;
  /**
   * The same on the connections for claims, where the planner keeps to indexes and to their order: for prepared statements that take the
   * first few of very many rows.
   */
  txByIndex<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>;
  /** Runs `work` once in a transaction without time limits, see `bulkTransaction`. */
  bulk<Result>(work: (tx: BulkTx) => Promise<Result>, options?: BulkOptions): Promise<Result>;
  /** The database as a running transaction sees it: statements run in that transaction, and every `tx` is a savepoint of it. */
  within(tx: Tx): Database;
  /**
   * The same database for the requests of one owner: their statements and transactions take turns with those of others, and have
   * shorter limits of time than the program's own work (`REQUEST_LIMITS`).
   * @param tell is told the characters of each value that a statement outside a transaction gives, before it is parsed; the statement
   *   fails with what it throws. What a transaction reads is for its changes, and may be of any size
   */
  sharedBy(owner: Owner, tell?: (characters: number) => void): Database;
  close(): Promise<void>;
}

const RETRYABLE = new Set(['40001', '40P01']);
const TRANSACTION_TRIES = 3;

export interface DatabaseOptions {
  /** The names of those that `ormOptions` has. */
  migrations: readonly string[];
  /** Loads what MikroORM is opened with. */
  ormOptions: () => Promise<OrmOptions>;
  poolSize?: number | undefined;
  applicationName?: string | undefined;
  /** The same database without a pooler between; with it, `url` is taken for a pooler's. */
  directUrl?: string | undefined;
}

/** Opens the pools and the shared connections of look-ups and of planning. Throws `invalid_request` if a URL is malformed. */
export async function openDatabase(url: string, log: Logger, options: DatabaseOptions): Promise<Database> {
  const { poolSize = 10, applicationName = 'outreach', directUrl, migrations } = options;
  const direct = sessionOf(directUrl ?? url, applicationName);
  const main = directUrl === undefined ? direct : pooledSessionOf(url, applicationName);
  const onLost = (error: Error) => log.warn({ error: messageOf(error) }, 'database connection lost');
  const pools = openPools(main, direct, poolSize, onLost);
  let opened: Promise<Orm> | undefined;
  const orm = () => {
    opened ??= import('./entity-manager.ts').then(async ({ openOrm }) =>
      openOrm(pools.main.pool, main.target.database, log, await options.ormOptions()),
    );
    return opened;
  };
  const reads = { query: queryOn(pools.reading) };
  const lookups = openLookups(direct, reads, onLost);
  const planning = openLookups(direct, reads, onLost);
  const turns = poolTurns({ main: poolSize, reading: readingConnections(poolSize) });
  const run =
    (on: SessionPool): Database['tx'] =>
    (work) =>
      retried(log, () => once(on, orm, log, work));
  const query = byKind(pools, lookups, planning);
  const database: Database = {
    orm,
    migrations,
    pool: pools.main.pool,
    query,
    tx: run(pools.main),
    txByKey: run(pools.keyed),
    txByIndex: run(pools.claiming),
    bulk: (work, bulkOptions) => bulkTransaction(pools.main, work, bulkOptions),
    sharedBy: (owner, tell) => {
      const types = tell && countedTypes(tell);
      const counted: Database = { ...database, query: (statement) => query(statement, types) };
      return inTurns(counted, turns, owner, requestsOn(pools.main, orm, log, types));
    },
    within: (tx) => ({ ...database, query: tx.query, tx: tx.savepoint, txByKey: tx.savepoint, txByIndex: tx.savepoint }),
    close: async () =>
      void (await Promise.all([opened?.then(({ mikro }) => mikro.close(true)), pools.close(), lookups.close(), planning.close()])),
  };
  return database;
}

const inTurns = (database: Database, turns: PoolTurns, owner: Owner, requests: Pick<Database, 'query' | 'tx'>): Database => ({
  ...database,
  query: <Row>(statement: Statement) => {
    const pool = poolOf(statement);
    if (pool === undefined) return database.query<Row>(statement);
    return turns[pool].run(owner, () => (pool === 'main' ? requests : database).query<Row>(statement));
  },
  tx: (work) => turns.main.run(owner, () => requests.tx(work)),
  bulk: (work, options) => turns.main.run(owner, () => database.bulk(work, options)),
});

const LIMITS_OF_REQUESTS = settingsOf(REQUEST_LIMITS);

/** Statements and transactions with the limits of requests. A single statement needs a transaction for that. */
function requestsOn(on: SessionPool, orm: Database['orm'], log: Logger, types?: CustomTypesConfig): Pick<Database, 'query' | 'tx'> {
  return {
    query: <Row>(statement: Statement) =>
      onTransaction(
        on,
        { settings: LIMITS_OF_REQUESTS },
        async (_, run) => (await run(queryOf(statement, !on.session.isPooled, types))).rows as Row[],
      ),
    tx: (work) => retried(log, () => once(on, orm, log, work, LIMITS_OF_REQUESTS)),
  };
}

/** Runs a statement. @param types those of the values that it gives, unless as on every connection */
type RunStatement = <Row = Record<string, unknown>>(statement: Statement, types?: CustomTypesConfig) => Promise<Row[]>;

const queryOn =
  ({ pool, session }: SessionPool): RunStatement =>
  async <Row>(statement: Statement, types?: CustomTypesConfig) =>
    (await pool.query(queryOf(statement, !session.isPooled, types))).rows as Row[];

/** Runs each statement on the connections of its kind. */
function byKind(pools: Pools, lookups: Lookups, planning: Lookups): RunStatement {
  const on = { prepared: queryOn(pools.reading), 'by key': queryOn(pools.keyed), 'look-up': lookups.query, planning: planning.query };
  const plain = queryOn(pools.main);
  return (statement, types) => ('kind' in statement ? on[statement.kind] : plain)(statement, types);
}

/** Runs a transaction once, and then its work after the commit. */
async function once<Result>(
  on: SessionPool,
  orm: Database['orm'],
  log: Logger,
  work: (tx: Tx) => Promise<Result>,
  settings?: string,
): Promise<Result> {
  const left: (() => Promise<void>)[] = [];
  const { entities } = await orm();
  const result = await transaction(on, { entities, afterCommit: (task) => void left.push(task), settings }, work);
  for (const task of left) await task().catch((error: unknown) => log.error({ err: error }, 'a callback after a commit failed'));
  return result;
}

async function retried<Result>(log: Logger, attempt: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      const code = sqlState(error) ?? '';
      if (tries >= TRANSACTION_TRIES || !RETRYABLE.has(code)) throw error;
      log.debug({ code, attempt: tries }, 'retrying a transaction');
    }
  }
}
