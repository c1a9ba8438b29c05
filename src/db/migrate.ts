import type { MikroORM } from '@mikro-orm/postgresql';
import type { Transaction } from 'kysely';
import { OutreachError } from '../core/errors.ts';
import type { Database } from './database.ts';
import { lockInTransaction } from './lock.ts';
import { type Queryable, sql } from './statement.ts';

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
  const known = db.migrations;
  const [table] = await db.query<{ exists: boolean }>(sql`select to_regclass('mikro_orm_migrations') is not null as exists`);
  const executed = table?.exists
    ? (await db.query<{ name: string }>(sql`select name from mikro_orm_migrations order by id`)).map((row) => row.name)
    : [];
  return {
    executed,
    pending: known.filter((name) => !executed.includes(name)),
    unknown: executed.filter((name) => !known.includes(name)),
  };
}

/** Throws when the database was made by a newer version of the program: writing to it could lose what it holds. */
export function refuseNewerDatabase(status: MigrationStatus): void {
  if (status.unknown.length > 0)
    throw new OutreachError(
      'conflict',
      `the database is newer than this program (it has ${status.unknown.join(', ')}); install the version that migrated it, or a later one`,
    );
}

/**
 * Runs pending migrations, all or none. Safe when several daemons start at once: one holds a lock, the others wait and
 * then find nothing to do. Returns the names of those that ran.
 * @param finish what a migration leaves to the program, in the same transaction; gets the names of those that ran
 */
export async function migrateUp(
  app: WithDatabase,
  finish: (tx: Queryable, ran: readonly string[]) => Promise<void> = async () => undefined,
): Promise<string[]> {
  return migrating(app, async (mikro, transaction, tx) => {
    const { pending } = await migrationStatus(app);
    if (pending.length === 0) return [];
    const ran = (await mikro.migrator.up({ transaction })).map((migration) => migration.name);
    await finish(tx, ran);
    return ran;
  });
}

/** Takes the newest migration back; its data goes with it. Returns its name, or undefined when there is none. */
export async function migrateDown(app: WithDatabase): Promise<string | undefined> {
  return migrating(app, async (mikro, transaction) => (await mikro.migrator.down({ transaction }))[0]?.name);
}

async function migrating<Result>(
  app: WithDatabase,
  work: (mikro: MikroORM, transaction: Transaction<unknown>, tx: Queryable) => Promise<Result>,
): Promise<Result> {
  const { mikro, migratorTransaction } = await app.db.orm();
  return migratorTransaction(async (transaction, tx) => {
    // An index over millions of rows takes as long as it takes, and so does waiting for it.
    await tx.query(sql`set local statement_timeout = 0`);
    await tx.query(sql`set local idle_in_transaction_session_timeout = 0`);
    await lockInTransaction(tx, 'migration');
    refuseNewerDatabase(await migrationStatus(app));
    return work(mikro, transaction, tx);
  });
}
