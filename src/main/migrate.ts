import type { App } from '../app.ts';
import { migrateUp, migrationStatus } from '../db/migrate.ts';
import { refuseSecondInstallation } from './second-installation.ts';

/**
 * Runs pending migrations and returns their names. Throws `conflict` if the database is empty and not the one of this data directory.
 */
export async function migrate(app: App): Promise<string[]> {
  if ((await migrationStatus(app)).executed.length === 0) refuseSecondInstallation(app.config);
  return migrateUp(app);
}
