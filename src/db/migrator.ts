import { Migration, Migrator } from '@mikro-orm/migrations';
import type { MikroORM } from '@mikro-orm/postgresql';
import { CompiledQuery, type Transaction } from 'kysely';
import { mikroOrm, type OrmPlace } from './entity-manager.ts';
import { type Queryable, queryOf, type Statement } from './statement.ts';

/** One step of the schema: the SQL that applies it, and the SQL that reverts it. */
export interface MigrationScript {
  readonly name: string;
  readonly up: string;
  readonly down: string;
}

type MigratorWork<Result> = (transaction: Transaction<unknown>, tx: Queryable) => Promise<Result>;

/** The migrator of MikroORM, and a transaction for it. */
export interface OpenMigrator {
  readonly migrator: MikroORM['migrator'];
  /**
   * Runs `work` in a transaction that MikroORM begins itself, for its migrator, which sets savepoints in it.
   * @param work gets the transaction for the migrator, and a `Queryable` on it
   */
  transaction<Result>(work: MigratorWork<Result>): Promise<Result>;
}

/** Opens the migrator. @param scripts in the order in which they run */
export function openMigrator(place: OrmPlace, scripts: readonly MigrationScript[]): OpenMigrator {
  const migrations = { migrationsList: scripts.map(runnable), snapshot: false };
  const mikro = mikroOrm(place, { extensions: [Migrator], migrations });
  return { migrator: mikro.migrator, transaction: (work) => migratorTransaction(mikro, work) };
}

/** Makes a migration for MikroORM. */
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
