import { type Queryable, sql } from '../db/statement.ts';
import { type Caller, operator, type Role } from './caller.ts';

/** Who asked for something that is done later. A user of null is the operator. */
export interface Asker {
  workspaceId: number;
  userId: number | null;
  apiKeyId: number | null;
  ip: string | null;
}

/**
 * Returns the caller in whose name the daemon does what they asked for, with the role that they have now; undefined for a user who has
 * been disabled or has left the workspace since. Index: memberships_pkey.
 */
export async function actingFor(db: Queryable, asker: Asker): Promise<Caller | undefined> {
  const { workspaceId, userId } = asker;
  if (userId === null) return operator(workspaceId);
  const [member] = await db.query<{ role: Role }>(sql`
    select m.role from memberships m join users u on u.id = m.user_id and u.disabled_at is null
    join workspaces w on w.id = m.workspace_id and w.archived_at is null
    where m.workspace_id = ${workspaceId} and m.user_id = ${userId}`);
  return member && { actor: 'user', ...asker, role: member.role, isInstallAdmin: false };
}

/**
 * Returns the caller in whose name the daemon does what a user has set up permanently. It continues after they are disabled or leave, and then
 * sees what a manager with their records would see. A user of null is the operator.
 */
export async function inNameOf(db: Queryable, workspaceId: number, userId: number | null): Promise<Caller> {
  const asker = { workspaceId, userId, apiKeyId: null, ip: null };
  return (await actingFor(db, asker)) ?? { actor: 'user', ...asker, role: 'manager', isInstallAdmin: false };
}
