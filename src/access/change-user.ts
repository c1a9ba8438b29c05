import type { App } from '../app.ts';
import { conflict } from '../core/errors.ts';
import { type Sql, sql } from '../db/statement.ts';
import type { Tx } from '../db/transaction.ts';
import { audit } from './audit.ts';
import { type Caller, type Role, requireInstallAdmin, requireRoleUpTo } from './caller.ts';
import { getUser, type UserRow } from './users.ts';

/**
 * Disables a member of the caller's workspace in every workspace and revokes all their keys for good. Throws `forbidden`
 * unless the caller is an install admin, `not_found`, and `conflict` for the caller and the last enabled admin.
 */
export async function disableUser(app: App, caller: Caller, id: number): Promise<UserRow> {
  requireInstallAdmin(caller);
  await app.db.tx(async (tx) => {
    if ((await getUser(tx, caller, id)).disabled) return;
    if (id === caller.userId) throw conflict("you can't disable yourself; ask another admin");
    await requireAnotherAdmin(tx, sql`w.is_default`, id);
    const now = app.clock.now();
    const disabled = await tx.query(
      sql`update users set disabled_at = ${now}, updated_at = ${now} where id = ${id} and disabled_at is null returning id`,
    );
    if (disabled.length === 0) return;
    const keys = await tx.query<{ id: number }>(
      sql`update api_keys set revoked_at = ${now} where user_id = ${id} and revoked_at is null returning id`,
    );
    const changes = { disabled: [false, true], revoked_keys: keys.map((key) => key.id) };
    await audit(tx, caller, now, { action: 'user.disable', resourceType: 'user', resourceId: id, changes });
  });
  return getUser(app.db, caller, id);
}

/** Enables a disabled user; revoked keys stay revoked. Throws `forbidden` and `not_found` like `disableUser`. */
export async function enableUser(app: App, caller: Caller, id: number): Promise<UserRow> {
  requireInstallAdmin(caller);
  await app.db.tx(async (tx) => {
    if (!(await getUser(tx, caller, id)).disabled) return;
    const now = app.clock.now();
    const enabled = await tx.query(
      sql`update users set disabled_at = null, updated_at = ${now} where id = ${id} and disabled_at is not null returning id`,
    );
    if (enabled.length === 0) return;
    const changes = { disabled: [true, false] };
    await audit(tx, caller, now, { action: 'user.enable', resourceType: 'user', resourceId: id, changes });
  });
  return getUser(app.db, caller, id);
}

/**
 * Changes a member's role in the caller's workspace, with effect from the next request. Throws `not_found`, `forbidden` for
 * a role higher than the caller's own, and `conflict` if the workspace would be left without an enabled admin.
 */
export async function changeRole(app: App, caller: Caller, id: number, role: Role): Promise<UserRow> {
  requireRoleUpTo(caller, role);
  await app.db.tx(async (tx) => {
    const user = await getUser(tx, caller, id);
    if (user.role === role) return;
    await requireAnotherAdmin(tx, sql`w.id = ${caller.workspaceId}`, id);
    await tx.query(sql`update memberships set role = ${role} where workspace_id = ${caller.workspaceId} and user_id = ${id}`);
    const changes = { role: [user.role, role] };
    await audit(tx, caller, app.clock.now(), { action: 'user.change_role', resourceType: 'user', resourceId: id, changes });
  });
  return getUser(app.db, caller, id);
}

/** Throws `conflict` if this user is the only enabled admin of the workspace. */
async function requireAnotherAdmin(tx: Tx, workspace: Sql, id: number): Promise<void> {
  // The lock serializes changes: two admins who disabled each other at once would both still find the other.
  await tx.query(sql`select 1 from workspaces w where ${workspace} for no key update`);
  const admins = await tx.query<{ user_id: number }>(sql`
    select m.user_id from workspaces w
    join memberships m on m.workspace_id = w.id and m.role = 'admin'
    join users u on u.id = m.user_id and u.disabled_at is null
    where ${workspace}`);
  if (admins.length === 1 && admins[0]?.user_id === id)
    throw conflict('this is the last enabled admin of the workspace; first give another user the admin role');
}
