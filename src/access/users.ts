import type { App } from '../app.ts';
import { emailAddress } from '../core/email-address.ts';
import { conflict, notFound } from '../core/errors.ts';
import { type Queryable, raw, type Sql, sql } from '../db/statement.ts';
import { timestamp } from '../db/timestamp.ts';
import type { Tx } from '../db/transaction.ts';
import { audit } from './audit.ts';
import { type Caller, type Role, requireRoleUpTo } from './caller.ts';
import { checkedName } from './name.ts';

/** A person as the API shows them, with the role held in one workspace. */
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

/** The people of the caller's workspace, oldest first. Index: memberships_pkey, then users_pkey. */
export function listUsers(db: Queryable, caller: Caller): Promise<UserRow[]> {
  return db.query<UserRow>(sql`
    select ${USER_COLUMNS} from users u join memberships m on m.user_id = u.id and m.workspace_id = ${caller.workspaceId}
    order by u.id`);
}

/** One person of the caller's workspace. Throws `not_found`. */
export async function getUser(db: Queryable, caller: Caller, id: number): Promise<UserRow> {
  const [row] = await db.query<UserRow>(sql`
    select ${USER_COLUMNS} from users u join memberships m on m.user_id = u.id and m.workspace_id = ${caller.workspaceId}
    where u.id = ${id}`);
  if (row === undefined) throw notFound('user');
  return row;
}

/** The person is a member of the workspace and not disabled; both ids are columns of the statement. Index: memberships_pkey. */
export const isEnabledMember = (workspaceId: string, userId: string): Sql => sql`exists (
  select from memberships m join users u on u.id = m.user_id and u.disabled_at is null
  where m.workspace_id = ${raw(workspaceId)} and m.user_id = ${raw(userId)})`;

/** Finds a person by address, wherever they work, with the workspace they joined first. Throws `not_found`. */
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
 * Gives a person access to the caller's workspace, creating the person where the address is new. Inside a running
 * change. Throws `conflict` for a present member and `forbidden` for a role above the caller's own.
 * @param input `inviteHash` marks a new person as invited until the link behind it is used
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
  // Two who add the same address at once both get here: one creates the person, the other finds them.
  const [created] = await tx.query<{ id: number }>(sql`
    insert into users (name, email, invite_hash, invited_at, created_at, updated_at)
    values (${name}, ${email}, ${input.inviteHash ?? null}, ${input.inviteHash === undefined ? null : now}, ${now}, ${now})
    on conflict (lower(email)) do nothing returning id`);
  const id = created?.id ?? (await findPerson(tx, email));
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

async function findPerson(tx: Tx, email: string): Promise<number> {
  const [row] = await tx.query<{ id: number }>(sql`select id from users where lower(email) = lower(${email})`);
  if (row === undefined) throw conflict(`${email} can't be added now; try again`);
  return row.id;
}
