import type { App } from '../app.ts';
import { invalid, notFound } from '../core/errors.ts';
import { type Queryable, raw, sql } from '../db/statement.ts';
import { timestamp } from '../db/timestamp.ts';
import type { Tx } from '../db/transaction.ts';
import { audit } from './audit.ts';
import { type Caller, isAdmin } from './caller.ts';
import { changeRecord, scopedRecord } from './records.ts';
import { missing, resourceTypeOf, type SharedTable } from './visibility.ts';

/** A user who may see a resource that is not shared to all. `granted_by` is the user who shared it, null for the operator. */
export interface ShareRow {
  user_id: number;
  name: string;
  email: string;
  granted_by: number | null;
  granted_at: string;
}

/** True for the users who decide who can see a resource: its creator and admins. */
const canManageSharing = (caller: Caller, createdBy: number | null): boolean =>
  isAdmin(caller) || (createdBy !== null && createdBy === caller.userId);

/**
 * Throws `not_found` unless the caller is the creator of the resource or an admin of its workspace, as the share list and
 * changes of `is_shared_to_all` require.
 */
export async function requireShareManager(db: Queryable, caller: Caller, table: SharedTable, id: number): Promise<void> {
  const [row] = await db.query<{ created_by: number | null }>(sql`
    select created_by from ${raw(table)}
    where id = ${id} and workspace_id = ${caller.workspaceId} and deleted_at is null`);
  if (row === undefined || !canManageSharing(caller, row.created_by)) throw missing(table);
}

/** Throws `not_found` if a patch changes `is_shared_to_all` of a locked record and the caller is neither its creator nor an admin. */
export function requireSharing(
  caller: Caller,
  table: SharedTable,
  record: { is_shared_to_all: boolean; created_by?: number | null },
  isSharedToAll: boolean | undefined,
): void {
  const isChanged = isSharedToAll !== undefined && isSharedToAll !== record.is_shared_to_all;
  if (isChanged && !canManageSharing(caller, record.created_by ?? null)) throw missing(table);
}

/** Lists the users that a resource is shared with, oldest share first. Indexes: shares(resource_type, resource_id, user_id), memberships_pkey. */
export async function listShares(db: Queryable, caller: Caller, table: SharedTable, id: number): Promise<ShareRow[]> {
  await requireShareManager(db, caller, table, id);
  return db.query<ShareRow>(sql`
    select s.user_id, coalesce(m.name, u.name) as name, u.email, s.granted_by, ${timestamp('s.granted_at')} as granted_at
    from shares s join users u on u.id = s.user_id left join memberships m on m.user_id = s.user_id and m.workspace_id = s.workspace_id
    where s.resource_type = ${table} and s.resource_id = ${id} order by s.id`);
}

/**
 * Shares a resource with a member of the workspace. Returns false if it was already shared; then nothing changes. Throws `not_found` for
 * all but its creator and admins, and `invalid_request` for a user who is not a member.
 */
export async function share(app: App, caller: Caller, table: SharedTable, id: number, userId: number): Promise<boolean> {
  const now = app.clock.now();
  return app.db.tx(async (tx) => {
    await requireShareManager(tx, caller, table, id);
    const member = await tx.query(
      sql`select 1 from memberships where workspace_id = ${caller.workspaceId} and user_id = ${userId} for key share`,
    );
    if (member.length === 0) throw invalid('user_id: must be the id of a member of this workspace');
    const added = await tx.query(sql`
      insert into shares (workspace_id, resource_type, resource_id, user_id, granted_by, granted_at)
      values (${caller.workspaceId}, ${table}, ${id}, ${userId}, ${caller.userId}, ${now})
      on conflict (resource_type, resource_id, user_id) do nothing returning id`);
    if (added.length === 0) return false;
    const resourceType = resourceTypeOf(table);
    await audit(tx, caller, now, { action: `${resourceType}.share`, resourceType, resourceId: id, changes: { user_id: userId } });
    return true;
  });
}

const ENTITIES = { accounts: 'Account', campaigns: 'Campaign', contacts: 'Contact', templates: 'Template' } as const;

/**
 * Gives a resource to another member of the workspace, who is then its creator and decides who sees it. The former owner gets no share.
 * Throws `not_found` for all but the creator and admins, and `invalid_request` for a user who is not a member or has the role `view_only`.
 */
export async function giveTo(app: App, caller: Caller, table: SharedTable, id: number, userId: number): Promise<void> {
  await app.db.tx(async (tx) => {
    await requireShareManager(tx, caller, table, id);
    const recipients = await tx.query(sql`
      select from memberships m where m.workspace_id = ${caller.workspaceId} and m.user_id = ${userId} and m.role <> 'view_only' for key share`);
    if (recipients.length === 0) throw invalid('user_id: must be the id of an admin or manager of this workspace');
    const kind = scopedRecord<{ id: number; created_by: number | null }>(ENTITIES[table], table);
    await changeRecord(tx, app, caller, kind, id, { verb: 'give', patch: { created_by: userId } });
  });
}

/** Removes a share. Throws `not_found` for all but the creator and admins, and if there is no such share. */
export async function removeShare(app: App, caller: Caller, table: SharedTable, id: number, userId: number): Promise<void> {
  await app.db.tx(async (tx) => {
    await requireShareManager(tx, caller, table, id);
    const removed = await tx.query(sql`
      delete from shares where resource_type = ${table} and resource_id = ${id} and user_id = ${userId} returning id`);
    if (removed.length === 0) throw notFound('share');
    const resourceType = resourceTypeOf(table);
    await audit(tx, caller, app.clock.now(), {
      action: `${resourceType}.unshare`,
      resourceType,
      resourceId: id,
      changes: { user_id: userId },
    });
  });
}

/** Copies the shares of a resource to its copies. Index: shares(resource_type, resource_id, user_id). */
export async function copyShares(tx: Tx, table: SharedTable, id: number, copies: readonly number[]): Promise<void> {
  await tx.query(sql`
    insert into shares (workspace_id, resource_type, resource_id, user_id, granted_by, granted_at)
    select h.workspace_id, h.resource_type, copy.id, h.user_id, h.granted_by, h.granted_at
    from shares h cross join unnest(${copies}::int[]) as copy (id)
    where h.resource_type = ${table} and h.resource_id = ${id}`);
}
