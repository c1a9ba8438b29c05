import { setTimeout as pause } from 'node:timers/promises';
import type { App } from '../app.ts';
import { drainOthers, refuseDaemons } from '../daemons/index.ts';
import { migrateUp, migrationStatus } from '../db/migrate.ts';
import { refuseSecondInstallation } from './second-installation.ts';

/** The way to deal with daemons that use the database: they can't record what they send once a newer version has migrated it. */
export type DaemonPolicy = 'refuse' | 'drain';

/** As long as a drain may take, and some. */
const DRAIN_SECONDS = 100;

/**
 * Runs pending migrations and returns their names. Throws `conflict` if the database is empty and not the one of this data directory, and
 * while daemons use it: they are refused, or asked to drain and waited for.
 */
export async function migrate(app: App, daemons: DaemonPolicy = 'refuse'): Promise<string[]> {
  const { executed, pending } = await migrationStatus(app);
  if (executed.length === 0) refuseSecondInstallation(app.config);
  else if (pending.length > 0) {
    const isPending = async () => (await migrationStatus(app)).pending.length > 0;
    if (daemons === 'drain') await drainOthers(app.db, DRAIN_SECONDS, pause, isPending);
    else await refuseDaemons(app.db);
  }
  // Again, since one may have started meanwhile, as a service manager starts it again.
  return migrateUp(app, () => refuseDaemons(app.db));
}
