import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { App } from '../app.ts';
import { type Config, findPlace, loadConfig } from '../core/config.ts';
import { conflict } from '../core/errors.ts';
import type { MigrationStatus } from '../db/migrate.ts';
import { actAsOwner } from './act-as-owner.ts';

/** The flags that choose an installation of this machine. */
export interface InstallationFlags {
  'data-dir'?: string | undefined;
}

/**
 * The settings, with the flags of a command before all others; root acts as the owner of the data directory from then on.
 * Throws `invalid_request` naming a malformed setting, or the owner whom this user is not.
 */
export function settingsOf(flags: InstallationFlags, overrides: Parameters<typeof loadConfig>[0] = {}): Config {
  const given = { ...overrides, ...(flags['data-dir'] === undefined ? {} : { dataDir: flags['data-dir'] }) };
  const place = findPlace(given);
  actAsOwner(place.dataDir);
  return loadConfig(given, undefined, place);
}

/** An installation that a command has opened, and how to close it. */
export interface OpenInstallation {
  app: App;
  close(): Promise<void>;
}

/** Opens the installation. Throws `conflict` when nothing is installed or the schema is not the one of this version. */
export async function openInstallation(config: Config): Promise<OpenInstallation> {
  requireInstalled(config);
  const { openRuntime } = await import('../main/runtime.ts');
  const { migrationStatus, refuseUnknownSchema } = await import('../db/migrate.ts');
  const { lateLogger } = await import('../core/log.ts');
  // A command prints its own result; the log is for errors.
  const level = config.logLevel === 'info' ? 'error' : config.logLevel;
  let asked: Promise<MigrationStatus> | undefined;
  const runtime = await openRuntime(config, {
    log: lateLogger(level, undefined, config.logFormat),
    poolSize: 4,
    applicationName: 'outreach cli',
    onOpen: (db) => {
      // A second connection, which PostgreSQL opens beside the first: a list needs two, one for its rows and one for its total.
      asked = migrationStatus({ db });
      // Whoever can't be asked for the version either has said so by then.
      asked.catch(() => undefined);
    },
  });
  try {
    const status = await (asked ?? migrationStatus(runtime.app));
    refuseUnknownSchema(status);
    if (status.executed.length === 0) throw conflict('Outreach is not installed in this database; run: outreach install');
    if (status.pending.length > 0) throw conflict(`the database needs migrations (${status.pending.join(', ')}); run: outreach migrate`);
    const { withPublicUrl } = await import('../daemons/index.ts');
    return { app: { ...runtime.app, config: await withPublicUrl(runtime.app.db, config) }, close: () => runtime.close() };
  } catch (error) {
    await runtime.close();
    throw error;
  }
}

/** Throws `conflict`, before anything is created, when this data directory has no embedded database. */
function requireInstalled(config: Config): void {
  if (config.databaseUrl === undefined && !existsSync(join(config.dataDir, 'postgres', 'PG_VERSION')))
    throw conflict(
      `Outreach is not installed in ${config.dataDir}; to work on a server, run: outreach login URL; ` +
        'to install it here, run: outreach install; for another installation of this machine, set --data-dir or DATABASE_URL',
    );
}
