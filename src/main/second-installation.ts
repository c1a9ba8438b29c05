import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../core/config.ts';
import { conflict } from '../core/errors.ts';
import { settingsPath } from '../core/settings-file.ts';
import { parseDatabaseUrl } from '../db/database-url.ts';

/**
 * Throws `conflict` if the settings name a database other than the one that this data directory is known to use: the one in a settings
 * file, or the embedded one whose files are there. Installing would then create a second installation, and chance would decide which of
 * them commands use.
 */
export function refuseSecondInstallation(config: Config): void {
  const { dataDir, databaseUrl, given } = config;
  if (databaseUrl === undefined || given.databaseUrl === undefined) return;
  const label = (url: unknown) => parseDatabaseUrl(String(url)).label;
  const file = config.settingsFiles.find(({ settings }) => settings.databaseUrl !== undefined);
  const requested = `DATABASE_URL names ${label(databaseUrl)}`;
  const apart = 'for an installation beside it, choose another data directory with OUTREACH_DATA_DIR';
  if (file !== undefined && label(file.settings.databaseUrl) !== label(databaseUrl))
    throw conflict(
      `${dataDir} is installed with the database at ${label(file.settings.databaseUrl)}, but ${requested}; ` +
        `if the database has moved, change database_url in ${file.path}; ${apart}`,
    );
  if (file === undefined && existsSync(join(dataDir, 'postgres', 'PG_VERSION')))
    throw conflict(
      `${dataDir} is installed with an embedded database, but ${requested}; unset DATABASE_URL; to move the data there, run outreach backup, ` +
        `then outreach restore with DATABASE_URL, then put database_url into ${settingsPath(dataDir)}; ${apart}`,
    );
}
