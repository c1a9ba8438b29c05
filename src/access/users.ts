import type { App } from '../app.ts';
import { cleanAddress, emailAddress } from '../core/email-address.ts';
import { conflict, invalid, notFound } from '../core/errors.ts';
import { empty, type Queryable, raw, type Sql, sql } from '../db/statement.ts';
import { timestamp } from '../db/timestamp.ts';
import type { Tx } from '../db/transaction.ts';
import { audit } from './audit.ts';
import { type Caller, type Role, requireRoleUpTo } from './caller.ts';
import { checkedName } from './name.ts';

/** A user in the API, with the role in one workspace. */
export interface UserRow {
  id: number;
  name: string;
  email: string;
  role: Role;
  disabled: boolean;
  pending_invite: boolean;
  created_at: string;
}

/**
 * Selects the columns of a user as a member of a workspace. Its admins see nothing that belongs to other workspaces: not the user's name
 * there, when they got their account, whether they were disabled before they were added, or whether another workspace's invitation is open.
 * Callers who act in every workspace see everything but the name.
 */
function userColumns({ isInstallAdmin }: Caller): Sql {
  const disabled = isInstallAdmin ? sql`u.disabled_at is not null` : sql`coalesce(u.disabled_at >= m.created_at, false)`;
  const invited = isInstallAdmin ? empty : sql` and u.invite_workspace_id = m.workspace_id`;
  return sql`u.id, coalesce(m.name, u.name) as name, u.email, m.role, ${disabled} as disabled,
    (u.invite_hash is not null${invited}) as pending_invite, ${timestamp('m.created_at')} as created_at`;
}

/** Lists the members of the caller's workspace, oldest first. Indexes: memberships_pkey, then users_pkey. */
export function listUsers(db: Queryable, caller: Caller): Promise<UserRow[]> {
  return db.query<UserRow>(sql`
    select ${userColumns(caller)} from users u join memberships m on m.user_id = u.id and m.workspace_id = ${caller.workspaceId}
    order by u.id`);
}

/** Reads one member of the caller's workspace. Throws `not_found`. */
export async function getUser(db: Queryable, caller: Caller, id: number): Promise<UserRow> {
  const [row] = await db.query<UserRow>(sql`
    select ${userColumns(caller)} from users u join memberships m on m.user_id = u.id and m.workspace_id = ${caller.workspaceId}
    where u.id = ${id}`);
  if (row === undefined) throw notFound('user');
  return row;
}

/** True if the caller's user, disabled or not, is a member of the workspace; false for the operator, who is not a user. */
export async function isMember(db: Queryable, { workspaceId, userId }: Caller): Promise<boolean> {
  const found = await db.query(sql`select 1 from memberships where workspace_id = ${workspaceId} and user_id = ${userId}`);
  return found.length > 0;
}

/** Condition: the user is a member of the workspace and not disabled; both ids are columns of the statement. Index: memberships_pkey. */
export const isEnabledMember = (workspaceId: string, userId: string): Sql => sql`exists (
  select from memberships m join users u on u.id = m.user_id and u.disabled_at is null
  where m.workspace_id = ${raw(workspaceId)} and m.user_id = ${raw(userId)})`;

/** True if the address belongs to a member of the workspace, even a disabled one. */
export async function hasMemberAddress(db: Queryable, workspaceId: number, email: string): Promise<boolean> {
  const rows = await db.query(sql`
    select from users u join memberships m on m.user_id = u.id and m.workspace_id = ${workspaceId} where address_key(u.email) = address_key(${email})`);
  return rows.length > 0;
}

/** Finds the first admin of the default workspace; undefined before the installation. */
export async function findInstallAdmin(db: Queryable): Promise<number | undefined> {
  const [row] = await db.query<{ user_id: number }>(sql`
    select m.user_id from memberships m join workspaces w on w.id = m.workspace_id
    where w.is_default and m.role = 'admin' order by m.created_at, m.user_id limit 1`);
  return row?.user_id;
}

/** A user of any workspace. */
export interface FoundUser {
  id: number;
  email: string;
  name: string;
  /** The workspace that they joined first. */
  workspace_id: number;
  /** The workspace that they were invited to; null if they never were. */
  invite_workspace_id: number | null;
}

/** Finds a user of any workspace by address. Throws `not_found`. */
export async function findUserByEmail(db: Queryable, email: string): Promise<FoundUser> {
  const [row] = await db.query<FoundUser>(sql`
    select u.id, u.email, u.name, m.workspace_id, u.invite_workspace_id from users u join memberships m on m.user_id = u.id
    where address_key(u.email) = address_key(${cleanAddress(email)}) order by m.created_at, m.workspace_id limit 1`);
  if (row === undefined) throw notFound(`user "${email}"`);
  return row;
}

/**
 * Finds a member of the caller's workspace by address, ignoring case; for the operator, a user of any workspace. Throws
 * `not_found`.
 */
export async function findMember(db: Queryable, caller: Caller, email: string): Promise<FoundUser> {
  const found = await findUserByEmail(db, email);
  if (caller.isEverywhere || (await isMember(db, { ...caller, userId: found.id }))) return found;
  throw notFound(`user "${email}"`);
}

/** A user to add to a workspace. */
export interface NewMember {
  /** Optional for an existing user, who keeps their own name. */
  name?: string | undefined;
  email: string;
  role: Role;
  /** Marks a user without an account as invited until the link is used. */
  inviteHash?: Buffer;
}

/**
 * Adds a user to the caller's workspace, inside the caller's transaction; creates the user if the address is new. Throws `conflict` for an
 * existing member, `forbidden` for a role higher than the caller's own, `invalid_request` for a bad address.
 * @returns `isNew` if the user had no account: they are then invited if a hash was given
 */
export async function addUser(tx: Tx, app: App, caller: Caller, input: NewMember): Promise<{ id: number; isNew: boolean }> {
  requireRoleUpTo(caller, input.role);
  const name = input.name === undefined ? undefined : checkedName(input.name);
  const email = emailAddress(input.email);
  const now = app.clock.now();
  const { id, isNew } = await findOrCreateUser(tx, caller, now, { ...input, name, email });
  const added = await tx.query(sql`
    insert into memberships (workspace_id, user_id, role, name, created_at)
    values (${caller.workspaceId}, ${id}, ${input.role}, ${isNew ? null : (name ?? null)}, ${now}) on conflict do nothing returning user_id`);
  if (added.length === 0) throw conflict(`${email} is already a member of this workspace`);
  const changes = { email, role: input.role, ...(name !== undefined && { name }) };
  await audit(tx, caller, now, { action: 'user.add', resourceType: 'user', resourceId: id, changes });
  return { id, isNew };
}

/** Finds or creates the user. Of two concurrent requests for the same address, one creates the user and the other finds it. */
async function findOrCreateUser(tx: Tx, caller: Caller, now: Date, input: NewMember): Promise<{ id: number; isNew: boolean }> {
  const { name, email, inviteHash = null } = input;
  if (name === undefined) {
    const [user] = await tx.query<{ id: number }>(sql`
      select u.id from users u where address_key(u.email) = address_key(${email}) and exists (select from memberships m where m.user_id = u.id)`);
    if (user === undefined) throw invalid('name: required for somebody who is not a user yet');
    return { id: user.id, isNew: false };
  }
  const invitedAt = inviteHash === null ? null : now;
  const invitedTo = inviteHash === null ? null : caller.workspaceId;
  const [created] = await tx.query<{ id: number }>(sql`
    insert into users (name, email, invite_hash, invited_at, invite_workspace_id, created_at, updated_at)
    values (${name}, ${email}, ${inviteHash}, ${invitedAt}, ${invitedTo}, ${now}, ${now})
    on conflict (address_key(email)) do nothing returning id`);
  if (created !== undefined) return { id: created.id, isNew: true };
  // A user who was removed from every workspace has no key left, and is invited again.
  const [returned] = await tx.query<{ id: number }>(sql`
    update users u set name = ${name}, invite_hash = ${inviteHash}, invited_at = ${invitedAt}, invite_workspace_id = ${invitedTo},
      updated_at = ${now}
    where address_key(u.email) = address_key(${email}) and not exists (select from memberships m where m.user_id = u.id) returning u.id`);
  if (returned !== undefined) return { id: returned.id, isNew: true };
  const [present] = await tx.query<{ id: number }>(sql`select id from users where address_key(email) = address_key(${email})`);
  if (present === undefined) throw conflict(`${email} can't be added now; try again`);
  return { id: present.id, isNew: false };
}
