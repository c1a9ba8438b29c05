import { pipeline } from 'node:stream/promises';
import { from as copyFrom } from 'pg-copy-streams';
import { migrations } from '../../migrations/index.ts';
import { audit, operator, renewHistory } from '../access/index.ts';
import type { App } from '../app.ts';
import { stashSuppressions } from '../contacts/index.ts';
import { quantity } from '../core/english.ts';
import { conflict, invalid, messageOf, OutreachError } from '../core/errors.ts';
import { refuseDaemons } from '../daemons/index.ts';
import type { BulkTx } from '../db/bulk.ts';
import { lockInTransaction } from '../db/lock.ts';
import { compareMigrations, migrationStatus, refuseUnknownSchema, unknownSchema } from '../db/migrate.ts';
import { sql } from '../db/statement.ts';
import { type BackupHeader, BackupReader, type BackupTrailer } from './backup-format.ts';
import { type PausedSending, pauseSending } from './pause-sending.ts';
import { copyTarget, storedTables, withoutConstraints } from './tables.ts';

export interface RestoreResult extends PausedSending {
  /** Time of the backup's snapshot, RFC 3339. */
  made_at: string;
  tables: number;
  rows: number;
  /** Migrations that were run because the backup lacked them. */
  migrated: string[];
  /** Suppressions carried over from the replaced installation that the backup lacked. */
  suppressions_kept: number;
}

export interface RestoreOptions {
  /** Replaces an existing installation; without it, restoring over one is refused. */
  replace?: boolean;
  signal?: AbortSignal;
  /** @param bytes of the file read so far */
  progress?: (table: string, bytes: number) => void;
}

/**
 * Replaces the contents of the database with a backup in one transaction, verified by its signature, its checksum and its foreign keys. The
 * backup is loaded into the schema it was made with and then migrated.
 *
 * A backup does not contain emails sent after it was made. So that none is sent twice, active accounts are restored as paused, with their
 * campaigns, until a person has checked the Sent folders and resumes them. Throws `conflict` for a backup of a newer version or one before
 * 1.0.0, another secret, a running daemon, and an existing installation without `replace`, and a backup that is not signed by the secret;
 * `invalid_request` for a damaged file.
 */
export async function restore(app: App, path: string, options: RestoreOptions = {}): Promise<RestoreResult> {
  const reader = new BackupReader(path, app.sealer);
  try {
    const header = await reader.header();
    requireReadable(app, header);
    reader.requireKnownSecret(header);
    const status = await migrationStatus(app);
    refuseUnknownSchema(status);
    await refuseDaemons(app.db);
    if (status.executed.length > 0 && !options.replace) await requireEmpty(app);
    // Creates the table of migrations if there is none.
    await (await app.db.migrator()).migrator.getExecuted();
    const result = await app.db.bulk((tx) => replaceAll(tx, app, reader, header, status.executed, options), { signal: options.signal });
    await analyze(app);
    return result;
  } catch (error) {
    if (error instanceof OutreachError) throw error;
    throw new OutreachError('internal_error', `nothing was restored: ${messageOf(error)}`, { cause: error });
  } finally {
    await reader.close();
  }
}

/** Analyses the tables. Everything is already restored, so a failure only makes statements slow until autovacuum has analysed them. */
async function analyze({ db, log }: App): Promise<void> {
  await db
    .query(sql`analyze`)
    .catch((error: unknown) => log.warn({ reason: messageOf(error) }, 'PostgreSQL could not analyse the restored tables'));
}

function requireReadable(app: App, header: BackupHeader): void {
  const problem = unknownSchema('the backup', compareMigrations(app.db.migrations, header.migrations));
  if (problem !== undefined) throw conflict(problem);
}

async function requireEmpty({ db }: App): Promise<void> {
  const rows = await db.query(sql`select 1 from workspaces limit 1`);
  if (rows.length > 0) throw conflict('this database already has an installation; to replace it with the backup, use --replace');
}

async function replaceAll(
  tx: BulkTx,
  app: App,
  reader: BackupReader,
  header: BackupHeader,
  present: readonly string[],
  options: RestoreOptions,
): Promise<RestoreResult> {
  // Keeps daemons from migrating in the meantime.
  await lockInTransaction(tx, 'migration');
  const putSuppressionsBack = await stashSuppressions(tx);
  for (const name of present.toReversed()) await runMigration(tx, app, name, 'down');
  for (const name of header.migrations) await runMigration(tx, app, name, 'up');
  let trailer: BackupTrailer | undefined;
  await withoutConstraints(tx, async () => {
    trailer = await load(tx, reader, options);
  });
  if (trailer === undefined) throw new Error('the backup has no trailer');
  for (const [name, last] of Object.entries(trailer.sequences))
    if (last !== null) await tx.query(sql`select setval(${`public."${name}"`}::regclass, ${last})`);
  const migrated = compareMigrations(app.db.migrations, header.migrations).pending;
  for (const name of migrated) await runMigration(tx, app, name, 'up');
  const paused = await pauseSending(tx, app.clock.now());
  await renewHistory(tx);
  const suppressionsKept = await putSuppressionsBack();
  const counts = Object.values(trailer.rows);
  const rows = counts.reduce((sum, count) => sum + count, 0);
  const result = { made_at: header.made_at, tables: counts.length, rows, migrated, ...paused, suppressions_kept: suppressionsKept };
  const [first] = await tx.query<{ id: number }>(sql`select id from workspaces where is_default`);
  if (first !== undefined)
    await audit(tx, operator(first.id), app.clock.now(), {
      action: 'installation.restore',
      resourceType: 'installation',
      resourceId: null,
      changes: { ...result },
    });
  return result;
}

async function runMigration(tx: BulkTx, app: App, name: string, direction: 'up' | 'down'): Promise<void> {
  const found = migrations.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no migration ${name}`);
  await tx.client.query(found[direction]);
  if (direction === 'up') await tx.query(sql`insert into mikro_orm_migrations (name, executed_at) values (${name}, ${app.clock.now()})`);
  else await tx.query(sql`delete from mikro_orm_migrations where name = ${name}`);
}

/** Loads every table of the backup, in place of rows that migrations have inserted. */
async function load(tx: BulkTx, reader: BackupReader, { progress, signal }: RestoreOptions): Promise<BackupTrailer> {
  const known = new Map((await storedTables(tx)).map((table) => [table.name, table]));
  const loaded: Record<string, number> = {};
  for (;;) {
    const section = await reader.next();
    if ('trailer' in section) {
      const wrong = Object.entries(section.trailer.rows).find(([name, count]) => loaded[name] !== count);
      if (wrong !== undefined)
        throw invalid(`the backup is damaged: ${wrong[0]} does not have the expected ${quantity(wrong[1], 'row')}; nothing was restored`);
      return section.trailer;
    }
    const table = known.get(section.table);
    if (table === undefined || section.columns.some((column) => !table.columns.includes(column)))
      throw invalid(`the backup is damaged: it has unknown columns in ${section.table}; nothing was restored`);
    progress?.(section.table, reader.bytes);
    const target = copyTarget({ name: section.table, columns: section.columns });
    await tx.query(sql([`delete from "${table.name}"`]));
    const copy = tx.client.query(copyFrom(`copy ${target} from stdin`));
    await pipeline(section.rows, copy, signal === undefined ? {} : { signal });
    loaded[section.table] = copy.rowCount;
  }
}
