import { createHash, randomBytes } from 'node:crypto';
import type { App } from '../app.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../core/clock.ts';
import { conflict, type OutreachError, tooMany } from '../core/errors.ts';
import { type Queryable, type Sql, sql } from '../db/statement.ts';
import type { Tx } from '../db/transaction.ts';
import { audit } from './audit.ts';
import type { Caller, Role } from './caller.ts';
import { emailInvite, type InviteEmail } from './invite-email.ts';
import { createKey } from './keys.ts';
import { isSystemEmailSetUp } from './system-email.ts';
import { addUser, getUser, type NewMember, type UserRow } from './users.ts';
import { lockWorkspace } from './workspaces.ts';

const INVITE_DAYS = 14;
/**
 * Maximum invitations that the keys of a workspace may have emailed in a day, since they go to any address through the operator's mail
 * server.
 */
const MAX_PER_DAY = 100;
/** Time after which a key may have an invitation emailed again. */
const RENEWAL = 10 * MINUTE;

/** A user who was given access. New users get a link to their first key, which is included unless it was emailed. */
export interface Invited {
  user: UserRow;
  inviteLink: string | null;
  /** The link was emailed. */
  isEmailed: boolean;
}

/**
 * Adds a user to the caller's workspace. A new user is invited: the link is emailed after the commit if a system SMTP server is configured;
 * otherwise it is returned, this one time only. Throws like `addUser`, and `too_many_requests` if the workspace has sent too many in the
 * last 24 hours.
 */
export async function inviteUser(app: App, caller: Caller, input: Omit<NewMember, 'inviteHash'>): Promise<Invited> {
  const token = generateToken();
  let isEmailed = false;
  const { id, isNew } = await app.db.tx(async (tx) => {
    await requireInviteRate(tx, app, caller);
    const added = await addUser(tx, app, caller, { ...input, inviteHash: hashOf(token) });
    if (added.isNew) {
      const email = await inviteEmail(tx, app, caller, added.id, token);
      tx.afterCommit(async () => {
        isEmailed = await emailInvite(app, email);
      });
    }
    return added;
  });
  return { user: await getUser(app.db, caller, id), inviteLink: isNew && !isEmailed ? linkOf(app, token) : null, isEmailed };
}

/** Throws `too_many_requests` if the workspace of a key has emailed as many invitations as it may. Index: users_invited. */
async function requireInviteRate(tx: Tx, app: App, caller: Caller): Promise<void> {
  if (caller.actor !== 'user' || !isSystemEmailSetUp(app.config)) return;
  await lockWorkspace(tx, caller);
  const since = new Date(app.clock.now().getTime() - DAY);
  const sent = await tx.query(sql`
    select 1 from users where invite_workspace_id = ${caller.workspaceId} and invited_at > ${since} limit ${MAX_PER_DAY}`);
  if (sent.length >= MAX_PER_DAY)
    throw tooMany(`the workspace has sent ${MAX_PER_DAY} invitations in the last 24 hours; try again later`, HOUR / SECOND);
}

/**
 * Replaces the link of a user whom the caller's workspace invited and who has not used theirs; the old one stops working. Throws
 * `not_found`, `conflict` for other users, and `too_many_requests` if a key requests another email within ten minutes.
 */
export async function renewInvite(app: App, caller: Caller, id: number): Promise<Invited> {
  const token = generateToken();
  let isEmailed = false;
  await app.db.tx(async (tx) => {
    const now = app.clock.now();
    const user = await getUser(tx, caller, id);
    const before = caller.actor === 'user' && isSystemEmailSetUp(app.config) ? new Date(now.getTime() - RENEWAL) : now;
    const open = sql`id = ${id} and invite_hash is not null and invite_workspace_id = ${caller.workspaceId} and disabled_at is null`;
    const renewed = await tx.query(sql`
      update users set invite_hash = ${hashOf(token)}, invited_at = ${now}, updated_at = ${now}
      where ${open} and invited_at <= ${before} returning id`);
    if (renewed.length === 0) throw await renewalRefusal(tx, open, user.email);
    await audit(tx, caller, now, { action: 'user.invite', resourceType: 'user', resourceId: id });
    const email = await inviteEmail(tx, app, caller, id, token);
    tx.afterCommit(async () => {
      isEmailed = await emailInvite(app, email);
    });
  });
  return { user: await getUser(app.db, caller, id), inviteLink: isEmailed ? null : linkOf(app, token), isEmailed };
}

async function renewalRefusal(tx: Tx, open: Sql, email: string): Promise<OutreachError> {
  const isOpen = (await tx.query(sql`select 1 from users where ${open}`)).length > 0;
  return isOpen
    ? tooMany(`${email} was invited less than ten minutes ago; try again later`, RENEWAL / SECOND)
    : conflict(`${email} has no open invitation; to create an API key for them, run: outreach key create`);
}

/** An open invitation: the invited user, and the workspace of their first key. */
export interface Invitation {
  user_id: number;
  name: string;
  email: string;
  role: Role;
  workspace_id: number;
  workspace: string;
}

/**
 * Finds the invitation for a token; undefined if it was used or replaced, is older than 14 days, or the user is disabled.
 * Index: users_invite.
 */
export async function findInvitation(app: App, token: string, db: Queryable = app.db): Promise<Invitation | undefined> {
  const oldest = new Date(app.clock.now().getTime() - INVITE_DAYS * DAY);
  const [row] = await db.query<Invitation>(sql`
    select u.id as user_id, u.name, u.email, m.role, w.id as workspace_id, w.name as workspace
    from users u
    join memberships m on m.user_id = u.id and m.workspace_id = u.invite_workspace_id
    join workspaces w on w.id = m.workspace_id and w.archived_at is null
    where u.invite_hash = ${hashOf(token)} and u.invited_at > ${oldest} and u.disabled_at is null`);
  return row;
}

/** Accepts an invitation and creates the user's first key. Returns undefined if there is no valid invitation. */
export async function acceptInvitation(app: App, token: string, ip: string | null): Promise<(Invitation & { key: string }) | undefined> {
  return app.db.tx(async (tx) => {
    const invitation = await findInvitation(app, token, tx);
    if (invitation === undefined || !(await consume(tx, app, token))) return undefined;
    const { user_id: userId, workspace_id: workspaceId, role } = invitation;
    const caller: Caller = { actor: 'user', workspaceId, userId, role, apiKeyId: null, ip, isInstallAdmin: false };
    await audit(tx, caller, app.clock.now(), { action: 'user.accept_invite', resourceType: 'user', resourceId: userId });
    const { key } = await createKey(tx, app, caller, { name: 'first key', userId, workspaceId });
    return { ...invitation, key };
  });
}

/** Marks the token as used. Returns false if a concurrent request used it first. */
async function consume(tx: Tx, app: App, token: string): Promise<boolean> {
  const used = await tx.query(sql`
    update users set invite_hash = null, updated_at = ${app.clock.now()} where invite_hash = ${hashOf(token)} returning id`);
  return used.length > 0;
}

const generateToken = () => randomBytes(32).toString('base64url');

/** Only this hash is stored. The token has 256 random bits, so a single round of SHA-256 is enough. */
const hashOf = (token: string) => createHash('sha256').update(token).digest();

const linkOf = (app: App, token: string) => `${app.config.baseUrl}/invite/${token}`;

async function inviteEmail(tx: Tx, app: App, caller: Caller, id: number, token: string): Promise<InviteEmail> {
  const [workspace] = await tx.query<{ name: string }>(sql`select name from workspaces where id = ${caller.workspaceId}`);
  const { email } = await getUser(tx, caller, id);
  return { userId: id, email, workspace: workspace?.name ?? '', link: linkOf(app, token), days: INVITE_DAYS };
}
