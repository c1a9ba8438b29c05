import { type Queryable, sql } from '../db/statement.ts';
import { type Caller, operator, type Role } from './caller.ts';

/** The caller who requested work that is done later. If `userId` is null, it was the operator. */
export interface Requester {
  workspaceId: number;
  userId: number | null;
  apiKeyId: number | null;
  ip: string | null;
}

/**
 * Returns the caller as whom the daemon does requested work, with the role that they have now. Returns undefined if the user has since been
 * disabled or left the workspace. Index: memberships_pkey.
 */
export async function actingFor(db: Queryable, asker: Requester): Promise<Caller | undefined> {
  const { workspaceId, userId } = asker;
  if (userId === null) return operator(workspaceId);
  const [member] = await db.query<{ role: Role }>(sql`
    select m.role from memberships m join users u on u.id = m.user_id and u.disabled_at is null
    join workspaces w on w.id = m.workspace_id and w.archived_at is null
    where m.workspace_id = ${workspaceId} and m.user_id = ${userId}`);
  return member && { actor: 'user', ...asker, role: member.role, isInstallAdmin: false };
}

/**
 * Returns the caller as whom the daemon does recurring work that a user has set up. The work continues after the user is disabled or
 * leaves, and then sees what a manager with their records would see. If `userId` is null, the operator set it up.
 */
export async function inNameOf(db: Queryable, workspaceId: number, userId: number | null): Promise<Caller> {
  const asker = { workspaceId, userId, apiKeyId: null, ip: null };
  return (await actingFor(db, asker)) ?? { actor: 'user', ...asker, role: 'manager', isInstallAdmin: false };
}
