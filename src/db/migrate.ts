import type { Transaction } from 'kysely';
import { messageOf, OutreachError } from '../core/errors.ts';
import type { Database } from './database.ts';
import { lockInTransaction, underLock } from './lock.ts';
import type { OpenMigrator } from './migrator.ts';
import { sql } from './statement.ts';

/** The part of the program that migrations need. */
interface WithDatabase {
  readonly db: Database;
}

export interface MigrationStatus {
  executed: string[];
  pending: string[];
  /** Migrations that the database has and this program does not know: a newer version made it. */
  unknown: string[];
}

/**
 * Lists the migrations that have run and those that have not. Waits for a migration under way to end, because a process that starts must
 * not miss it.
 */
export const settledMigrationStatus = (app: WithDatabase): Promise<MigrationStatus> =>
  underLock(app.db, 'migration', () => migrationStatus(app));

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
 * Says why this program can't use a schema with migrations that it does not know; undefined if it knows all. Migrations are only ever
 * added, so a newer version has all of this program's and more. A schema with unknown migrations that lacks some of this program's is from
 * before 1.0.0, the first release, when the list was a different one.
 * @param subject what has the schema, such as `the database`
 */
export function unknownSchema(subject: string, { pending, unknown }: Pick<MigrationStatus, 'pending' | 'unknown'>): string | undefined {
  if (unknown.length === 0) return undefined;
  if (pending.length > 0) return `${subject} was made by a version before 1.0.0, which this program can't read`;
  return `${subject} is newer than this program (it has ${unknown.join(', ')}); install the version that made it, or a later one`;
}

/** Throws `conflict` if this program does not know the schema of the database: writing to it could lose data. */
export function refuseUnknownSchema(status: MigrationStatus): void {
  const problem = unknownSchema('the database', status);
  if (problem !== undefined) throw new OutreachError('conflict', problem);
}

/** Throws `conflict` if the schema of the database is not this program's. */
export function refuseOtherSchema(status: MigrationStatus): void {
  refuseUnknownSchema(status);
  if (status.pending.length > 0)
    throw new OutreachError('conflict', `the database needs migrations (${status.pending.join(', ')}); run: outreach migrate`);
}

/**
 * Runs pending migrations, all or none. Safe if several daemons start at the same time: one holds a lock, the others wait and then find
 * nothing to do. Returns the names of the migrations that ran. Throws `internal_error` naming the migration that failed.
 * @param check called before the first one runs, when no other process can start to use the schema; if it throws, the migration stops
 */
export async function migrateUp(app: WithDatabase, check?: () => Promise<void>): Promise<string[]> {
  return underMigrationLock(app, async (migrator, transaction) => {
    const { pending } = await migrationStatus(app);
    if (pending.length === 0) return [];
    await check?.();
    for (const name of pending) await migrator.up({ migrations: [name], transaction }).catch(throwFailure(name));
    return pending;
  });
}

/** Reverts the newest migration; its data is deleted. Returns its name, or undefined when there is none. Throws as `migrateUp` does. */
export async function migrateDown(app: WithDatabase): Promise<string | undefined> {
  return underMigrationLock(app, async (migrator, transaction) => {
    const name = (await migrationStatus(app)).executed.at(-1);
    if (name !== undefined) await migrator.down({ migrations: [name], transaction }).catch(throwFailure(name));
    return name;
  });
}

/** PostgreSQL's error says neither which migration failed nor what became of those before it. */
const throwFailure = (name: string) => (error: unknown) => {
  throw new OutreachError('internal_error', `migration ${name} failed (${messageOf(error)}); nothing was changed`, { cause: error });
};

/**
 * Runs `work` in a transaction without time limits, while no other daemon migrates. Throws `conflict` for a schema that this program does not
 * know.
 */
async function underMigrationLock<Result>(
  app: WithDatabase,
  work: (migrator: OpenMigrator['migrator'], transaction: Transaction<unknown>) => Promise<Result>,
): Promise<Result> {
  const { migrator, transaction } = await app.db.migrator();
  return transaction(async (running, tx) => {
    // Creating an index over millions of rows has no predictable duration, and neither has waiting for it.
    await tx.query(sql`set local statement_timeout = 0`);
    await tx.query(sql`set local idle_in_transaction_session_timeout = 0`);
    await lockInTransaction(tx, 'migration');
    refuseUnknownSchema(await migrationStatus(app));
    return work(migrator, running);
  });
}
