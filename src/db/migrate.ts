import type { MikroORM } from '@mikro-orm/postgresql';
import type { Transaction } from 'kysely';
import { OutreachError } from '../core/errors.ts';
import type { Database } from './database.ts';
import { lockInTransaction } from './lock.ts';
import { sql } from './statement.ts';

/** The part of the program that migrations need. */
interface WithDatabase {
  readonly db: Database;
}

export interface MigrationStatus {
  executed: string[];
  pending: string[];
  /** Migrations that the database has and this program does not know: it was made by a newer version. */
  unknown: string[];
}

/** Lists the migrations that have run and those that have not. */
export async function migrationStatus({ db }: WithDatabase): Promise<MigrationStatus> {
  const [table] = await db.query<{ exists: boolean }>(sql`select to_regclass('mikro_orm_migrations') is not null as exists`);
  const executed = table?.exists
    ? (await db.query<{ name: string }>(sql`select name from mikro_orm_migrations order by id`)).map((row) => row.name)
    : [];
  return { executed, ...compareMigrations(db.migrations, executed) };
}

/** Compares the migrations that this program has with those that have run. */
export const compareMigrations = (known: readonly string[], executed: readonly string[]): Omit<MigrationStatus, 'executed'> => ({
  pending: known.filter((name) => !executed.includes(name)),
  unknown: executed.filter((name) => !known.includes(name)),
});

/**
 * True if some of these migrations were made before the schema of 1.0.0: a later version has all of this program's migrations and more,
 * as migrations are only ever added.
 */
export const isBeforeBaseline = ({ pending, unknown }: Pick<MigrationStatus, 'pending' | 'unknown'>): boolean =>
  unknown.length > 0 && pending.length > 0;

/**
 * Throws when this program does not know the schema of the database: that of a newer version, where writing could lose what it holds, or
 * one from before 1.0.0.
 */
export function refuseNewerDatabase(status: MigrationStatus): void {
  if (isBeforeBaseline(status))
    throw new OutreachError(
      'conflict',
      "the database was made by a version before 1.0.0, whose data this program can't read; use an empty one",
    );
  if (status.unknown.length > 0)
    throw new OutreachError(
      'conflict',
      `the database is newer than this program (it has ${status.unknown.join(', ')}); install the version that migrated it, or a later one`,
    );
}

/**
 * Runs pending migrations, all or none. Safe when several daemons start at once: one holds a lock, the others wait and
 * then find nothing to do. Returns the names of those that ran.
 */
export async function migrateUp(app: WithDatabase): Promise<string[]> {
  return migrating(app, async (mikro, transaction) => {
    const { pending } = await migrationStatus(app);
    return pending.length === 0 ? [] : (await mikro.migrator.up({ transaction })).map((migration) => migration.name);
  });
}

/** Takes the newest migration back; its data goes with it. Returns its name, or undefined when there is none. */
export async function migrateDown(app: WithDatabase): Promise<string | undefined> {
  return migrating(app, async (mikro, transaction) => (await mikro.migrator.down({ transaction }))[0]?.name);
}

async function migrating<Result>(
  app: WithDatabase,
  work: (mikro: MikroORM, transaction: Transaction<unknown>) => Promise<Result>,
): Promise<Result> {
  const { mikro, migratorTransaction } = await app.db.orm();
  return migratorTransaction(async (transaction, tx) => {
    // An index over millions of rows takes as long as it takes, and so does waiting for it.
    await tx.query(sql`set local statement_timeout = 0`);
    await tx.query(sql`set local idle_in_transaction_session_timeout = 0`);
    await lockInTransaction(tx, 'migration');
    refuseNewerDatabase(await migrationStatus(app));
    return work(mikro, transaction);
  });
}
