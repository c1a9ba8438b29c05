import type { App } from '../app.ts';
import { type Queryable, raw, sql, type Tx } from '../db.ts';
import { emailAddress } from '../email-address.ts';
import { conflict, invalid, notFound } from '../errors.ts';
import { audit } from './audit.ts';
import { type Caller, type Role, requireRoleUpTo } from './caller.ts';
import { Membership, User } from './entities.ts';

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

const USER_COLUMNS = raw(`u.id, u.name, u.email, m.role, u.disabled_at is not null as disabled,
  u.invite_hash is not null as pending_invite, to_char(u.created_at at time zone 'utc', 'YYYY-MM-DD HH24:MI:SS') as created_at`);

/** The people of the caller's workspace, oldest first. */
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

/** Finds a person by address, wherever they work. Throws `not_found`. */
export async function findUserByEmail(db: Queryable, email: string): Promise<{ id: number; email: string; name: string }> {
  const [row] = await db.query<{ id: number; email: string; name: string }>(
    sql`select id, email, name from users where lower(email) = lower(${email.trim()})`,
  );
  if (row === undefined) throw notFound(`user "${email}"`);
  return row;
}

/**
 * Gives a person access to the caller's workspace, creating the person where the address is new. Inside a running
 * change. Throws `conflict` for a present member and `forbidden` for a role above the caller's own.
 */
export async function addUser(
  tx: Tx,
  app: App,
  caller: Caller,
  input: { name: string; email: string; role: Role; inviteHash?: Buffer },
): Promise<{ id: number; isNew: boolean }> {
  requireRoleUpTo(caller, input.role);
  const name = input.name.trim();
  if (name.length === 0 || name.length > 255) throw invalid('name: 1 to 255 characters');
  const email = emailAddress(input.email);
  const now = app.clock.now();
  const [known] = await tx.query<{ id: number }>(sql`select id from users where lower(email) = lower(${email})`);
  let id = known?.id;
  if (id === undefined) {
    const user = tx.em.create(User, {
      name,
      email,
      invite_hash: input.inviteHash ?? null,
      invited_at: input.inviteHash ? now : null,
      created_at: now,
      updated_at: now,
    });
    await tx.em.flush();
    id = user.id;
  } else if ((await tx.em.count(Membership, { workspace_id: caller.workspaceId, user_id: id })) > 0) {
    throw conflict(`${email} is already a member of this workspace`);
  }
  tx.em.create(Membership, { workspace_id: caller.workspaceId, user_id: id, role: input.role, created_at: now });
  await tx.em.flush();
  await audit(tx, caller, now, {
    action: 'user.add',
    resourceType: 'user',
    resourceId: id,
    changes: { name, email, role: input.role },
  });
  return { id, isNew: known === undefined };
}
