import type { App } from '../app.ts';
import { migrateUp } from '../db/migrate.ts';
import { BINDING_MIGRATION, bindCredentials } from '../maintenance/bind-credentials.ts';

/** Runs pending migrations, with what they leave to a program that has the secret. Returns the names of those that ran. */
export const migrate = (app: App): Promise<string[]> =>
  migrateUp(app, async (tx, ran) => {
    if (!ran.includes(BINDING_MIGRATION)) return;
    const count = await bindCredentials(tx, app);
    if (count > 0) app.log.info({ count }, 'bound the stored credentials to their servers');
  });
