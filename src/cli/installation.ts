import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, findPlace, loadConfig } from '../core/config.ts';
import { conflict } from '../core/errors.ts';
import { actAsOwner } from './act-as-owner.ts';
import type { OpenInstallation } from './open-database.ts';

/** The flags that choose an installation of this machine. */
export interface InstallationFlags {
  'data-dir'?: string | undefined;
}

/**
 * Loads the settings; the flags of a command come before all other sources. Root acts as the owner of the data directory from then on.
 * Throws `invalid_request` naming a malformed setting, or the owner of a data directory that this user can't write to.
 */
export function settingsOf(flags: InstallationFlags, overrides: Parameters<typeof loadConfig>[0] = {}): Config {
  const given = { ...overrides, ...(flags['data-dir'] === undefined ? {} : { dataDir: flags['data-dir'] }) };
  const place = findPlace(given);
  actAsOwner(place.dataDir);
  return loadConfig(given, undefined, place);
}

/** Opens the installation. Throws `conflict` when nothing is installed or the schema is not the one of this version. */
export async function openInstallation(config: Config): Promise<OpenInstallation> {
  requireInstalled(config);
  // Commands on a server do not need the database code.
  const { openDatabaseOf } = await import('./open-database.ts');
  return openDatabaseOf(config);
}

/** Throws `conflict`, before anything is created, when this data directory has no embedded database. */
function requireInstalled(config: Config): void {
  if (config.databaseUrl === undefined && !existsSync(join(config.dataDir, 'postgres', 'PG_VERSION')))
    throw conflict(
      `Outreach is not installed in ${config.dataDir}; to work on a server, run: outreach login URL; ` +
        'to install it here, run: outreach install; for another installation of this machine, set --data-dir or DATABASE_URL',
    );
}
