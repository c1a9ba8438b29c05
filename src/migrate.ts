import type { App } from './app.ts';
import { sql } from './db.ts';
import { OutreachError } from './errors.ts';

/** Any number; the same in every version, since it keeps two daemons from migrating at once. */
const MIGRATION_LOCK = 4_891_022;

export interface MigrationStatus {
  executed: string[];
  pending: string[];
  /** Migrations that the database has and this program does not know: it was made by a newer version. */
  unknown: string[];
}

/** What has run and what has not. */
export async function migrationStatus({ db }: Pick<App, 'db'>): Promise<MigrationStatus> {
  const known = db.orm.config.get('migrations').migrationsList?.map((migration) => ('name' in migration ? migration.name : '')) ?? [];
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
      `the database is newer than this program (it has ${status.unknown.join(', ')}); install the version that made it, or a later one`,
    );
}

/**
 * Runs pending migrations, each in a transaction. Safe when several daemons start at once: one holds an advisory lock,
 * the others wait and then find nothing to do. Returns the names of those that ran.
 */
export async function migrateUp(app: Pick<App, 'db'>): Promise<string[]> {
  return withMigrationLock(app, async () => {
    const status = await migrationStatus(app);
    refuseNewerDatabase(status);
    if (status.pending.length === 0) return [];
    return (await app.db.orm.migrator.up()).map((migration) => migration.name);
  });
}

/** Takes the newest migration back; its data goes with it. Returns its name, or undefined when there is none. */
export async function migrateDown(app: Pick<App, 'db'>): Promise<string | undefined> {
  return withMigrationLock(app, async () => {
    refuseNewerDatabase(await migrationStatus(app));
    return (await app.db.orm.migrator.down())[0]?.name;
  });
}

async function withMigrationLock<Result>({ db }: Pick<App, 'db'>, work: () => Promise<Result>): Promise<Result> {
  const client = await db.pool.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    return await work();
  } finally {
    await client.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK]).catch(() => undefined);
    client.release();
  }
}
