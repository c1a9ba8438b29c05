import { type EntityManager, MikroORM, type Options } from '@mikro-orm/postgresql';
import { CompiledQuery, Kysely, PostgresDialect, type PostgresPool, type Transaction } from 'kysely';
import type { Pool } from 'pg';
import type { Logger } from '../core/log.ts';
import { type Queryable, queryOf, type Statement } from './statement.ts';
import type { Run } from './transaction.ts';

/** The options of MikroORM that the program chooses; the connections are ours. */
export type OrmOptions = Pick<Options, 'entities' | 'migrations' | 'extensions'>;

/** Opens MikroORM on a pool of ours, which it uses and never closes. */
export function openOrm(pool: Pool, dbName: string, log: Logger, options: OrmOptions): Promise<MikroORM> {
  return MikroORM.init({
    ...options,
    dbName,
    driverOptions: new PostgresDialect({
      pool: { connect: () => pool.connect(), end: async () => undefined, options: pool.options } as PostgresPool,
    }),
    forceUtcTimezone: true,
    ignoreUndefinedInQuery: true,
    discovery: { warnWhenNoEntities: false },
    logger: (message: string) => log.debug({ message }, 'mikro-orm'),
  } as Options);
}

/**
 * Creates an entity manager whose queries go through `run`. MikroORM has Kysely execute its queries in the transaction context
 * that `setTransactionContext` sets; this Kysely has one connection, that of the running transaction, and neither begins nor
 * ends anything. See test/db/transaction.db.test.ts.
 */
export function entityManagerOn(orm: MikroORM, run: Run): EntityManager {
  const connection = { query: (text: string, values: readonly unknown[]) => run({ text, values: [...values] }), release: () => undefined };
  const pool = { connect: async () => connection, end: async () => undefined, options: {} } as unknown as PostgresPool;
  const em = orm.em.fork({ clear: true });
  em.setTransactionContext(new Kysely({ dialect: new PostgresDialect({ pool }) }));
  return em as EntityManager;
}

/**
 * Runs `work` in a transaction that MikroORM begins itself, for its migrator, which sets savepoints in it.
 * @param work gets the transaction for the migrator, and a `Queryable` on it
 */
export function migratorTransaction<Result>(
  orm: MikroORM,
  work: (transaction: Transaction<unknown>, tx: Queryable) => Promise<Result>,
): Promise<Result> {
  return orm.em.fork().transactional(async (em) => {
    const transaction = em.getTransactionContext<Transaction<unknown>>();
    if (transaction === undefined) throw new Error('no transaction context');
    return work(transaction, {
      async query<Row>(statement: Statement) {
        const { text, values } = queryOf(statement);
        return (await transaction.executeQuery(CompiledQuery.raw(text, values))).rows as Row[];
      },
    });
  });
}
