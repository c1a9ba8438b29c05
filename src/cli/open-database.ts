import type { App } from '../app.ts';
import type { Config } from '../core/config.ts';
import { conflict, SQLSTATE, sqlState } from '../core/errors.ts';
import { lazyLogger } from '../core/log.ts';
import { withPublicUrl } from '../daemons/index.ts';
import { type MigrationStatus, migrationStatus, refuseOtherSchema } from '../db/migrate.ts';
import { openRuntime } from '../main/runtime.ts';

/** An installation that a command has opened, and how to close it. */
export interface OpenInstallation {
  app: App;
  close(): Promise<void>;
}

/** Opens an installation for a command. Throws `conflict` when the database has no schema or another than this version's. */
export async function openDatabaseOf(config: Config): Promise<OpenInstallation> {
  // A command prints its own result; the log is for errors.
  const level = config.logLevel === 'info' ? 'error' : config.logLevel;
  let pending: Promise<MigrationStatus> | undefined;
  const runtime = await openRuntime(config, {
    log: lazyLogger(level, undefined, config.logFormat),
    // A list needs two, for its rows and for its total. PostgreSQL starts a process for each, which has to load the catalog again.
    poolSize: 2,
    applicationName: 'outreach cli',
    isInstalled: true,
    onOpen: (db) => {
      // Uses the second connection, which PostgreSQL opens in parallel with the first.
      pending = migrationStatus({ db });
      // It is awaited below. If opening fails first, that error is reported, and this one is not needed.
      pending.catch(() => undefined);
    },
  }).catch((error: unknown) => {
    // `install` was interrupted before it created the database of the embedded server.
    throw config.databaseUrl === undefined && sqlState(error) === SQLSTATE.invalidCatalogName ? notInstalled() : error;
  });
  try {
    const status = await (pending ?? migrationStatus(runtime.app));
    if (status.executed.length === 0) throw notInstalled();
    refuseOtherSchema(status);
    return { app: { ...runtime.app, config: await withPublicUrl(runtime.app.db, config) }, close: () => runtime.close() };
  } catch (error) {
    await runtime.close();
    throw error;
  }
}

const notInstalled = () => conflict('Outreach is not installed in this database; run: outreach install');
