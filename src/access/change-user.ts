import type { App } from '../app.ts';
import { conflict, notFound } from '../core/errors.ts';
import { type Sql, sql } from '../db/statement.ts';
import type { Tx } from '../db/transaction.ts';
import { audit } from './audit.ts';
import { type Caller, type Role, requireInstallAdmin, requireRoleUpTo } from './caller.ts';
import { getUser, type UserRow } from './users.ts';

/**
 * Disables a member of the caller's workspace in every workspace and revokes all their keys permanently. Throws `forbidden`
 * unless the caller is an install admin, `not_found`, and `conflict` for the caller and for the last enabled admin of a workspace.
 */
export async function disableUser(app: App, caller: Caller, id: number): Promise<UserRow> {
  requireInstallAdmin(caller);
  await app.db.tx(async (tx) => {
    if ((await getUser(tx, caller, id)).disabled) return;
    if (id === caller.userId) throw conflict("you can't disable yourself; ask another admin");
    await requireOtherAdmins(tx, caller, sql`w.archived_at is null`, id);
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
    await requireOtherAdmins(tx, caller, sql`w.id = ${caller.workspaceId}`, id);
    await tx.query(sql`update memberships set role = ${role} where workspace_id = ${caller.workspaceId} and user_id = ${id}`);
    const changes = { role: [user.role, role] };
    await audit(tx, caller, app.clock.now(), { action: 'user.change_role', resourceType: 'user', resourceId: id, changes });
  });
  return getUser(app.db, caller, id);
}

/**
 * Ends a user's membership of the caller's workspace: revokes their keys there permanently and removes what was shared with them.
 * What they created stays. Throws `not_found`, and `conflict` for the caller, and if the workspace would be left without an enabled admin.
 * @returns the user as they were, the ids of the revoked keys and the number of removed shares
 */
export async function removeUser(app: App, caller: Caller, id: number): Promise<{ user: UserRow; revokedKeys: number[]; shares: number }> {
  return app.db.tx(async (tx) => {
    const user = await getUser(tx, caller, id);
    if (id === caller.userId) throw conflict("you can't remove yourself; ask another admin");
    await requireOtherAdmins(tx, caller, sql`w.id = ${caller.workspaceId}`, id);
    const now = app.clock.now();
    const theirs = sql`workspace_id = ${caller.workspaceId} and user_id = ${id}`;
    const removed = await tx.query(sql`delete from memberships where ${theirs} returning user_id`);
    if (removed.length === 0) throw notFound('user');
    const keys = await tx.query<{ id: number }>(
      sql`update api_keys set revoked_at = ${now} where ${theirs} and revoked_at is null returning id`,
    );
    await tx.query(sql`update users set invite_hash = null where id = ${id} and invite_workspace_id = ${caller.workspaceId}`);
    const shares = (await tx.query(sql`delete from shares where ${theirs} returning id`)).length;
    const revokedKeys = keys.map((key) => key.id);
    const changes = { email: user.email, role: [user.role, null], revoked_keys: revokedKeys, removed_shares: shares };
    await audit(tx, caller, now, { action: 'user.remove', resourceType: 'user', resourceId: id, changes });
    return { user, revokedKeys, shares };
  });
}

/**
 * Throws `conflict` if this user is the only enabled admin of one of the workspaces `w`. Until the transaction ends, no other transaction
 * can change the admins of these workspaces or this user's memberships.
 */
async function requireOtherAdmins(tx: Tx, caller: Caller, workspaces: Sql, id: number): Promise<void> {
  // Making them an admin of another workspace takes a lock on the user, so it can't happen meanwhile.
  await tx.query(sql`select 1 from users where id = ${id} for update`);
  const administered = sql`${workspaces} and exists (
    select from memberships m where m.workspace_id = w.id and m.user_id = ${id} and m.role = 'admin')`;
  // The lock serializes changes. Without it, two admins who removed each other at the same moment would each still find the other. Rows are
  // locked in the order of ids, so that two transactions never wait for each other.
  await tx.query(sql`select 1 from workspaces w where ${administered} order by w.id for no key update`);
  const [left] = await tx.query<{ id: number; name: string }>(sql`
    select w.id, w.name from workspaces w
    where ${administered}
      and exists (select from users u where u.id = ${id} and u.disabled_at is null)
      and not exists (
        select from memberships m join users u on u.id = m.user_id and u.disabled_at is null
        where m.workspace_id = w.id and m.role = 'admin' and m.user_id <> ${id})
    order by w.id limit 1`);
  if (left === undefined) return;
  // The message names no workspace but the key's own.
  const workspace = caller.actor === 'cli' ? `workspace "${left.name}"` : left.id === caller.workspaceId ? 'the workspace' : 'a workspace';
  throw conflict(`this is the last enabled admin of ${workspace}; first give another user the admin role there`);
}
