import { setTimeout as pause } from 'node:timers/promises';
import type { App } from '../app.ts';
import { drainOthers, refuseDaemons } from '../daemons/index.ts';
import { migrateUp, migrationStatus } from '../db/migrate.ts';
import { refuseSecondInstallation } from './second-installation.ts';

/** Decides about daemons that use the database: they can't record what they send after a newer version has migrated it. */
export type DaemonPolicy = 'refuse' | 'drain';

/** Slightly longer than a drain may take. */
const DRAIN_SECONDS = 100;

/**
 * Runs pending migrations and returns their names. Throws `conflict` if the database is empty and is not the one of this data directory. If
 * daemons use the database, either throws `conflict`, or asks them to drain and waits for them.
 */
export async function migrate(app: App, daemons: DaemonPolicy = 'refuse'): Promise<string[]> {
  const { executed, pending } = await migrationStatus(app);
  if (executed.length === 0) refuseSecondInstallation(app.config);
  else if (pending.length > 0) {
    const isPending = async () => (await migrationStatus(app)).pending.length > 0;
    if (daemons === 'drain') await drainOthers(app.db, DRAIN_SECONDS, pause, isPending);
    else await refuseDaemons(app.db);
  }
  // Checked again, since a daemon may have started in the meantime: a service manager restarts it.
  return migrateUp(app, () => refuseDaemons(app.db));
}
