import { type EntityManager, type EntitySchema, MikroORM, type Options } from '@mikro-orm/postgresql';
import { Kysely, PostgresDialect, type PostgresPool } from 'kysely';
import type { Pool } from 'pg';
import type { Logger } from '../core/log.ts';
import type { Orm, Run } from './transaction.ts';

/** The database for MikroORM: our pool, which MikroORM uses and never closes. */
export interface OrmPlace {
  readonly pool: Pool;
  readonly dbName: string;
  readonly log: Logger;
}

/** Opens MikroORM for entities in our transactions. */
export function openOrm(place: OrmPlace, entities: readonly EntitySchema[]): Orm {
  const mikro = mikroOrm(place);
  const byName = new Map(entities.map((entity) => [entity.meta.className, entity]));
  return {
    entity(name) {
      const entity = byName.get(name);
      if (entity === undefined) throw new Error(`no entity ${name}`);
      // Discovered on first use: discovering all entities takes as long as starting Node, and a command changes one or two.
      if (!mikro.getMetadata().has(entity.meta.class)) mikro.discoverEntity(entity);
      return mikro.getMetadata().get(entity.meta.class);
    },
    entityManager: (run) => entityManagerOn(mikro, run),
  };
}

/** MikroORM without entities. */
export function mikroOrm({ pool, dbName, log }: OrmPlace, options: Pick<Options, 'extensions' | 'migrations'> = {}): MikroORM {
  return new MikroORM({
    ...options,
    entities: [],
    dbName,
    // Otherwise it would look for the database on another connection. If transactions held all connections of the pool, none would become free.
    ensureDatabase: false,
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
 * Creates an entity manager whose queries go through `run`. MikroORM has Kysely execute its queries in the transaction context that
 * `setTransactionContext` sets; this Kysely has one connection, that of the running transaction, and neither begins nor ends a transaction.
 * See test/db/transaction.db.test.ts.
 */
function entityManagerOn(orm: MikroORM, run: Run): EntityManager {
  const connection = { query: (text: string, values: readonly unknown[]) => run({ text, values: [...values] }), release: () => undefined };
  const pool = { connect: async () => connection, end: async () => undefined, options: {} } as unknown as PostgresPool;
  const em = orm.em.fork({ clear: true });
  em.setTransactionContext(new Kysely({ dialect: new PostgresDialect({ pool }) }));
  return em as EntityManager;
}
