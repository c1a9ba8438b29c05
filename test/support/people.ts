import { addUser, createKey, createWorkspace, operator, type Role, type Scope } from '../../src/access/index.ts';
import type { App } from '../../src/app.ts';

let made = 0;

/** Creates a person with a key in a workspace (the default one by default), for tests that need somebody other than the admin. */
export async function member(app: App, role: Role, options: { workspaceId?: number; email?: string; scopes?: Scope[] } = {}) {
  const workspaceId = options.workspaceId ?? 1;
  const email = options.email ?? `person-${++made}@example.com`;
  return app.db.tx(async (tx) => {
    const { id } = await addUser(tx, app, operator(workspaceId), { name: `Person ${email}`, email, role });
    const { id: keyId, key } = await createKey(tx, app, operator(workspaceId), {
      ...{ name: 'test', userId: id, workspaceId },
      ...(options.scopes && { scopes: options.scopes }),
    });
    return { id, email, keyId, key };
  });
}

/** Creates another workspace. Returns its id. */
export const workspace = (app: App, name = `Workspace ${++made}`) => app.db.tx((tx) => createWorkspace(tx, app, null, { name }));
