import type { App } from '../app.ts';
import { emailAddress } from '../core/email-address.ts';
import { conflict, notFound } from '../core/errors.ts';
import { type Queryable, raw, type Sql, sql } from '../db/statement.ts';
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

const USER_COLUMNS = sql`u.id, u.name, u.email, m.role, u.disabled_at is not null as disabled,
  u.invite_hash is not null as pending_invite, ${timestamp('u.created_at')} as created_at`;

/** Lists the members of the caller's workspace, oldest first. Indexes: memberships_pkey, then users_pkey. */
export function listUsers(db: Queryable, caller: Caller): Promise<UserRow[]> {
  return db.query<UserRow>(sql`
    select ${USER_COLUMNS} from users u join memberships m on m.user_id = u.id and m.workspace_id = ${caller.workspaceId}
    order by u.id`);
}

/** Reads one member of the caller's workspace. Throws `not_found`. */
export async function getUser(db: Queryable, caller: Caller, id: number): Promise<UserRow> {
  const [row] = await db.query<UserRow>(sql`
    select ${USER_COLUMNS} from users u join memberships m on m.user_id = u.id and m.workspace_id = ${caller.workspaceId}
    where u.id = ${id}`);
  if (row === undefined) throw notFound('user');
  return row;
}

/** True if the caller's user, disabled or not, is a member of the workspace; false for the operator, who is no user. */
export async function isMember(db: Queryable, { workspaceId, userId }: Caller): Promise<boolean> {
  const found = await db.query(sql`select 1 from memberships where workspace_id = ${workspaceId} and user_id = ${userId}`);
  return found.length > 0;
}

/** Condition: the user is a member of the workspace and not disabled; both ids are columns of the statement. Index: memberships_pkey. */
export const isEnabledMember = (workspaceId: string, userId: string): Sql => sql`exists (
  select from memberships m join users u on u.id = m.user_id and u.disabled_at is null
  where m.workspace_id = ${raw(workspaceId)} and m.user_id = ${raw(userId)})`;

/** True when the address is that of a member of the workspace, disabled ones included. */
export async function hasMemberAddress(db: Queryable, workspaceId: number, email: string): Promise<boolean> {
  const rows = await db.query(sql`
    select from users u join memberships m on m.user_id = u.id and m.workspace_id = ${workspaceId} where lower(u.email) = lower(${email})`);
  return rows.length > 0;
}

/** The first admin of the default workspace; undefined before the installation. */
export async function findInstallAdmin(db: Queryable): Promise<number | undefined> {
  const [row] = await db.query<{ user_id: number }>(sql`
    select m.user_id from memberships m join workspaces w on w.id = m.workspace_id
    where w.is_default and m.role = 'admin' order by m.created_at, m.user_id limit 1`);
  return row?.user_id;
}

/** Finds a user of any workspace by address, with the workspace that they joined first. Throws `not_found`. */
export async function findUserByEmail(
  db: Queryable,
  email: string,
): Promise<{ id: number; email: string; name: string; workspace_id: number }> {
  const [row] = await db.query<{ id: number; email: string; name: string; workspace_id: number }>(sql`
    select u.id, u.email, u.name, m.workspace_id from users u join memberships m on m.user_id = u.id
    where lower(u.email) = lower(${email.trim()}) order by m.created_at, m.workspace_id limit 1`);
  if (row === undefined) throw notFound(`user "${email}"`);
  return row;
}

/**
 * Adds a user to the caller's workspace, inside the caller's transaction; creates the user if the address is new. Throws
 * `conflict` for a present member, `forbidden` for a role higher than the caller's own, `invalid_request` for a bad address.
 * @param input `inviteHash` marks a new user as invited until the link is used
 */
export async function addUser(
  tx: Tx,
  app: App,
  caller: Caller,
  input: { name: string; email: string; role: Role; inviteHash?: Buffer },
): Promise<{ id: number; isNew: boolean }> {
  requireRoleUpTo(caller, input.role);
  const name = checkedName(input.name);
  const email = emailAddress(input.email);
  const now = app.clock.now();
  // Of two concurrent requests for the same address, one creates the user and the other finds it.
  const [created] = await tx.query<{ id: number }>(sql`
    insert into users (name, email, invite_hash, invited_at, created_at, updated_at)
    values (${name}, ${email}, ${input.inviteHash ?? null}, ${input.inviteHash === undefined ? null : now}, ${now}, ${now})
    on conflict (lower(email)) do nothing returning id`);
  const id = created?.id ?? (await findUser(tx, email));
  const added = await tx.query(sql`
    insert into memberships (workspace_id, user_id, role, created_at)
    values (${caller.workspaceId}, ${id}, ${input.role}, ${now}) on conflict do nothing returning user_id`);
  if (added.length === 0) throw conflict(`${email} is already a member of this workspace`);
  await audit(tx, caller, now, {
    action: 'user.add',
    resourceType: 'user',
    resourceId: id,
    changes: { email, role: input.role, ...(created === undefined ? {} : { name }) },
  });
  return { id, isNew: created !== undefined };
}

async function findUser(tx: Tx, email: string): Promise<number> {
  const [row] = await tx.query<{ id: number }>(sql`select id from users where lower(email) = lower(${email})`);
  if (row === undefined) throw conflict(`${email} can't be added now; try again`);
  return row.id;
}
