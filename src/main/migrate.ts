import type { App } from '../app.ts';
import { migrateUp, migrationStatus } from '../db/migrate.ts';
import { BINDING_MIGRATION, bindCredentials } from '../maintenance/bind-credentials.ts';
import { refuseSecondInstallation } from './second-installation.ts';

/**
 * Runs pending migrations, with what they leave to a program that has the secret. Returns the names of those that ran. Throws
 * `conflict` if the database is empty and not the one of this data directory.
 */
export async function migrate(app: App): Promise<string[]> {
  if ((await migrationStatus(app)).executed.length === 0) refuseSecondInstallation(app.config);
  return migrateUp(app, async (tx, ran) => {
    if (!ran.includes(BINDING_MIGRATION)) return;
    const count = await bindCredentials(tx, app);
    if (count > 0) app.log.info({ count }, 'bound the stored credentials to their servers');
  });
}
