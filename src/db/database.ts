import type { EntitySchema } from '@mikro-orm/postgresql';
import pLimit, { type LimitFunction } from 'p-limit';
import type { Pool } from 'pg';
import { messageOf, sqlState } from '../core/errors.ts';
import type { Logger } from '../core/log.ts';
import { type BulkOptions, type BulkTx, bulkTransaction } from './bulk.ts';
import type { MigrationScript, OpenMigrator } from './migrator.ts';
import { openPools, type SessionPool } from './pools.ts';
import { pooledSessionOf, REQUEST_TIMEOUTS, sessionOf, settingsOf } from './session.ts';
import { type Queryable, queryOf, type Statement } from './statement.ts';
import { type Orm, type Tx, transaction } from './transaction.ts';
import { countedTypes } from './value-types.ts';

/** The database. Statements that requests run outside of transactions use the pool for reads; everything else uses the pool for work. */
export interface Database extends Queryable {
  /** Loads the migrator of MikroORM and opens it. */
  migrator(): Promise<OpenMigrator>;
  /** The names of this program's migrations, in the order in which they run. */
  readonly migrations: readonly string[];
  /** The pool for work itself, for COPY and LISTEN. */
  readonly pool: Pool;
  /**
   * Runs `work` in one transaction and rolls back if it throws. After a serialisation failure or a deadlock (SQLSTATE 40001,
   * 40P01) the whole transaction runs again, up to three times in all.
   */
  tx<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>;
  /** Runs `work` once in a transaction without time limits, see `bulkTransaction`. */
  bulk<Result>(work: (tx: BulkTx) => Promise<Result>, options?: BulkOptions): Promise<Result>;
  /** The database as a running transaction sees it: statements run in that transaction, and every `tx` is a savepoint of it. */
  within(tx: Tx): Database;
  /**
   * The same database for requests: with shorter time limits than the program's own work (`REQUEST_TIMEOUTS`).
   * @param client the caller, who gets at most half of the connections of each pool
   */
  forRequests(client?: RequestClient): Database;
  close(): Promise<void>;
}

interface RequestClient {
  readonly workspaceId: number;
  /**
   * Called with the length of each value that a statement outside of a transaction returns, before it is parsed. If it throws, the
   * statement fails with that error. Transactions read for their changes, so their values are not counted and may have any size.
   */
  countCharacters(characters: number): void;
}

const RETRYABLE = new Set(['40001', '40P01']);
const TRANSACTION_TRIES = 3;

export interface DatabaseOptions {
  /** In the order in which they run. */
  migrations: readonly MigrationScript[];
  /** Loads every entity. */
  entities: () => Promise<readonly EntitySchema[]>;
  /** Maximum connections of the pool for work. The pool for reads has half as many. */
  poolSize?: number | undefined;
  applicationName?: string | undefined;
  /** URL of the same database without a pooler in between. If it is given, `url` must be the pooler's. */
  directUrl?: string | undefined;
}

/** Opens the pools. Throws `invalid_request` if a URL is malformed. */
export async function openDatabase(url: string, log: Logger, options: DatabaseOptions): Promise<Database> {
  const { poolSize = 10, applicationName = 'outreach', directUrl, migrations } = options;
  const direct = sessionOf(directUrl ?? url, applicationName);
  const main = directUrl === undefined ? direct : pooledSessionOf(url, applicationName);
  const { work, reads, close } = openPools(main, direct, poolSize, (error) =>
    log.warn({ error: messageOf(error) }, 'database connection lost'),
  );
  const place = { pool: work.pool, dbName: main.target.database, log };
  let opened: Promise<Orm> | undefined;
  const orm = () => {
    opened ??= Promise.all([import('./entity-manager.ts'), options.entities()]).then(([{ openOrm }, entities]) => openOrm(place, entities));
    return opened;
  };
  const run =
    (settings?: string): Database['tx'] =>
    (inTx) =>
      retried(log, () => once(work, orm, log, inTx, settings));
  const shareOf = sharesOf(work, reads);
  const database: Database = {
    migrator: async () => (await import('./migrator.ts')).openMigrator(place, migrations),
    migrations: migrations.map(({ name }) => name),
    pool: work.pool,
    query: queryOn(work),
    tx: run(),
    bulk: (inTx, bulkOptions) => bulkTransaction(work, inTx, bulkOptions),
    within: (tx) => ({ ...database, query: tx.query, tx: tx.savepoint }),
    forRequests: (client) => {
      const requests = { ...database, query: queryOn(reads, client?.countCharacters), tx: run(LIMITS_OF_REQUESTS) };
      if (client === undefined) return requests;
      const share = shareOf(client.workspaceId);
      return {
        ...requests,
        query: (statement) => share.reads(() => requests.query(statement)),
        tx: (inTx) => share.work(() => requests.tx(inTx)),
        bulk: (inTx, bulkOptions) => share.work(() => requests.bulk(inTx, bulkOptions)),
      };
    },
    close,
  };
  return database;
}

const LIMITS_OF_REQUESTS = settingsOf(REQUEST_TIMEOUTS);

type Share = Readonly<Record<'work' | 'reads', LimitFunction>>;

/**
 * Returns the share of each workspace: half of the connections of each pool. If a workspace needs more, its statements wait for each other,
 * and no other workspace's statements wait.
 */
function sharesOf(work: SessionPool, reads: SessionPool): (workspaceId: number) => Share {
  const shares = new Map<number, Share>();
  const halfOf = ({ size }: SessionPool) => pLimit(Math.ceil(size / 2));
  return (workspaceId) => {
    const share = shares.get(workspaceId) ?? { work: halfOf(work), reads: halfOf(reads) };
    shares.set(workspaceId, share);
    return share;
  };
}

/** @param countCharacters see `RequestClient` */
function queryOn({ pool, session }: SessionPool, countCharacters?: RequestClient['countCharacters']): Queryable['query'] {
  const types = countCharacters && countedTypes(countCharacters);
  return async <Row>(statement: Statement) => (await pool.query(queryOf(statement, !session.isPooled, types))).rows as Row[];
}

/** Runs a transaction once, and its callbacks after the commit. */
async function once<Result>(
  on: SessionPool,
  orm: () => Promise<Orm>,
  log: Logger,
  work: (tx: Tx) => Promise<Result>,
  settings?: string,
): Promise<Result> {
  const left: (() => Promise<void>)[] = [];
  const result = await transaction(on, { orm, afterCommit: (task) => void left.push(task), settings }, work);
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
