import { Migration } from '@mikro-orm/migrations';
import { type EntityManager, MikroORM, type Options } from '@mikro-orm/postgresql';
import { CompiledQuery, Kysely, PostgresDialect, type PostgresPool, type Transaction } from 'kysely';
import type { Pool } from 'pg';
import type { Logger } from '../core/log.ts';
import { type Queryable, queryOf, type Statement } from './statement.ts';
import type { Run } from './transaction.ts';

/** One step of the schema: the SQL that makes it, and the SQL that reverts it. */
interface MigrationScript {
  name: string;
  up: string;
  down: string;
}

/** The options of MikroORM that the program chooses; the connections are ours. */
export interface OrmOptions extends Pick<Options, 'entities' | 'extensions'> {
  /** In the order in which they run. */
  migrations: readonly MigrationScript[];
}

type MigratorWork<Result> = (transaction: Transaction<unknown>, tx: Queryable) => Promise<Result>;

/** MikroORM, and entity managers in transactions of ours. */
export interface Orm {
  readonly mikro: MikroORM;
  /** Creates an entity manager whose queries go through `run`. */
  entities(run: Run): EntityManager;
  /**
   * Runs `work` in a transaction that MikroORM begins itself, for its migrator, which sets savepoints in it.
   * @param work gets the transaction for the migrator, and a `Queryable` on it
   */
  migratorTransaction<Result>(work: MigratorWork<Result>): Promise<Result>;
}

/** Opens MikroORM on a pool of ours, which it uses and never closes. */
export async function openOrm(pool: Pool, dbName: string, log: Logger, { migrations, ...options }: OrmOptions): Promise<Orm> {
  const mikro = await MikroORM.init({
    ...options,
    migrations: { migrationsList: migrations.map(runnable), snapshot: false },
    dbName,
    driverOptions: new PostgresDialect({
      pool: { connect: () => pool.connect(), end: async () => undefined, options: pool.options } as PostgresPool,
    }),
    forceUtcTimezone: true,
    ignoreUndefinedInQuery: true,
    discovery: { warnWhenNoEntities: false },
    logger: (message: string) => log.debug({ message }, 'mikro-orm'),
  } as Options);
  return { mikro, entities: (run) => entityManagerOn(mikro, run), migratorTransaction: (work) => migratorTransaction(mikro, work) };
}

/** A migration as MikroORM runs it. */
function runnable({ name, up, down }: MigrationScript) {
  class Scripted extends Migration {
    override up(): void {
      this.addSql(up);
    }

    override down(): void {
      this.addSql(down);
    }
  }
  return { name, class: Scripted };
}

/**
 * Creates an entity manager whose queries go through `run`. MikroORM has Kysely execute its queries in the transaction context
 * that `setTransactionContext` sets; this Kysely has one connection, that of the running transaction, and neither begins nor
 * ends anything. See test/db/transaction.db.test.ts.
 */
function entityManagerOn(orm: MikroORM, run: Run): EntityManager {
  const connection = { query: (text: string, values: readonly unknown[]) => run({ text, values: [...values] }), release: () => undefined };
  const pool = { connect: async () => connection, end: async () => undefined, options: {} } as unknown as PostgresPool;
  const em = orm.em.fork({ clear: true });
  em.setTransactionContext(new Kysely({ dialect: new PostgresDialect({ pool }) }));
  return em as EntityManager;
}

function migratorTransaction<Result>(orm: MikroORM, work: MigratorWork<Result>): Promise<Result> {
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
