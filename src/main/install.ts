import { addUser, createKey, createWorkspace, findInstallAdmin, findWorkspace, operator, recordSecret } from '../access/index.ts';
import type { App } from '../app.ts';
import { lockInTransaction } from '../db/lock.ts';
import { type DaemonPolicy, migrate } from './migrate.ts';
import { recordedKeyId, refuseOtherSecret } from './own-secret.ts';

export interface InstallResult {
  data_dir: string;
  base_url: string;
  workspace_id: number;
  user_id: number;
  /** The first API key, shown only once; null if Outreach was already installed. */
  api_key: string | null;
}

/**
 * Sets up the database: migrations, the first workspace, the first admin and an API key. Idempotent: on an existing installation nothing
 * changes and `api_key` is null. If several run at the same time, one installs and the others wait for it.
 */
export async function install(
  app: App,
  input: { adminEmail?: string; adminName?: string; workspace?: string; daemons?: DaemonPolicy } = {},
): Promise<InstallResult> {
  await migrate(app, input.daemons);
  return app.db.tx(async (tx) => {
    await lockInTransaction(tx, 'install');
    const result = { data_dir: app.config.dataDir, base_url: app.config.baseUrl };
    const present = await findInstallAdmin(tx);
    if (present !== undefined) {
      // Two installs may have run at the same time, each with a secret of its own.
      refuseOtherSecret(app.sealer, await recordedKeyId(tx));
      const workspace = await findWorkspace(tx);
      return { ...result, workspace_id: workspace.id, user_id: present, api_key: null };
    }
    const workspaceId = await createWorkspace(tx, app, null, { name: input.workspace ?? 'Default', isDefault: true });
    await recordSecret(tx, app.sealer.keyId);
    const caller = operator(workspaceId);
    const admin = await addUser(tx, app, caller, {
      email: input.adminEmail ?? 'admin@localhost.localdomain',
      name: input.adminName ?? 'Admin',
      role: 'admin',
    });
    const { key } = await createKey(tx, app, caller, { name: 'first key', userId: admin.id, workspaceId });
    return { ...result, workspace_id: workspaceId, user_id: admin.id, api_key: key };
  });
}
