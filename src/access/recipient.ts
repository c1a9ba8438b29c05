import { type Queryable, sql } from '../db/statement.ts';

/** A member of a workspace who can receive email from the installation. */
export interface Recipient {
  email: string;
  /** Name of the workspace. */
  workspace: string;
}

/**
 * Finds a member by id; undefined if they are disabled or have left, or if their invitation is open: they have not yet shown that the
 * address is theirs. Index: memberships_pkey.
 */
export async function findRecipient(db: Queryable, workspaceId: number, userId: number): Promise<Recipient | undefined> {
  const [row] = await db.query<Recipient>(sql`
    select u.email, w.name as workspace from memberships m
    join users u on u.id = m.user_id and u.disabled_at is null and u.invite_hash is null
    join workspaces w on w.id = m.workspace_id and w.archived_at is null
    where m.workspace_id = ${workspaceId} and m.user_id = ${userId}`);
  return row;
}
