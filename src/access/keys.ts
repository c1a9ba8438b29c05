import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { App } from '../app.ts';
import { conflict, notFound, unauthorized } from '../core/errors.ts';
import { lookup, type Queryable, sql } from '../db/statement.ts';
import { timestamp } from '../db/timestamp.ts';
import type { Tx } from '../db/transaction.ts';
import { type Caller, operator, type Role } from './caller.ts';
import { ApiKey } from './entities.ts';
import { checkedName } from './name.ts';
import { changeRecord, createRecord, type RecordKind } from './records.ts';

const API_KEY: RecordKind<ApiKey> = {
  entity: ApiKey,
  resourceType: 'api_key',
  missing: () => notFound('key'),
  visible: (caller) => (caller.isInstallAdmin ? sql`true` : sql`t.workspace_id = ${caller.workspaceId}`),
  unaudited: ['hash'],
};

const KEY_FORM = /^ork_([0-9A-Za-z]{32})([0-9a-f]{8})$/;
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/**
 * Generates a key: `ork_`, 32 random base62 characters (190 bits) and their CRC32. The checksum rejects mistyped keys
 * without a query, and the format is one that secret scanners can recognize.
 */
function generateKey(): string {
  let body = '';
  while (body.length < 32) {
    // 248 = 4 × 62: higher bytes would favour the first characters of the alphabet.
    for (const byte of randomBytes(48)) if (byte < 248 && body.length < 32) body += ALPHABET[byte % 62];
  }
  return `ork_${body}${checksum(body)}`;
}

const checksum = (body: string) => crc32(body).toString(16).padStart(8, '0');

/** Only this hash is stored. The key has 190 random bits, so a single round of SHA-256 is enough. */
const hashOf = (key: string) => hash('sha256', key, 'buffer');

/**
 * Creates a key for a member of a workspace, inside the caller's transaction. Throws `conflict` for a disabled user
 * and one who is not a member, `invalid_request` for a bad name.
 * @returns the key's id, and the key itself, which is never stored
 */
export async function createKey(
  tx: Tx,
  app: App,
  caller: Caller,
  input: { name: string; userId: number; workspaceId: number },
): Promise<{ id: number; key: string }> {
  const name = checkedName(input.name, 100);
  // The lock makes a concurrent `disableUser` or `removeUser` see and revoke this key.
  const [owner] = await tx.query<{ disabled: boolean }>(sql`
    select u.disabled_at is not null as disabled from users u
    join memberships m on m.user_id = u.id and m.workspace_id = ${input.workspaceId}
    where u.id = ${input.userId} for share of u, m`);
  if (owner === undefined) throw conflict('the user is not a member of the workspace; to add them, run: outreach user create');
  if (owner.disabled) throw conflict('the user is disabled and can have no API key; to enable them, run: outreach user enable');
  const key = generateKey();
  const data = {
    workspace_id: input.workspaceId,
    user_id: input.userId,
    name,
    prefix: key.slice(0, 8),
    hash: hashOf(key),
    created_at: app.clock.now(),
  };
  const row = await createRecord(tx, app, caller, API_KEY, data, { audited: { name, user_id: input.userId } });
  return { id: row.id, key };
}

/**
 * Creates a key for a member of a workspace on the operator's behalf. Throws `conflict` for a user who is not a member or
 * is disabled.
 * @returns the key's id, and the key itself, which is never stored
 */
export async function createMemberKey(
  app: App,
  workspace: { id: number; name: string },
  user: { id: number; email: string },
  name: string,
): Promise<{ id: number; key: string }> {
  return app.db.tx(async (tx) => {
    const members = await tx.query(sql`select 1 from memberships where workspace_id = ${workspace.id} and user_id = ${user.id}`);
    if (members.length === 0)
      throw conflict(`${user.email} is not a member of workspace "${workspace.name}"; to add them, run: outreach user create`);
    return createKey(tx, app, operator(workspace.id), { name, userId: user.id, workspaceId: workspace.id });
  });
}

/** Revokes a key with effect from the next request; a revoked one stays as it is. Throws `not_found`. */
export async function revokeKey(app: App, caller: Caller, id: number): Promise<void> {
  const patch = (key: ApiKey) => ({ revoked_at: key.revoked_at ?? app.clock.now() });
  await app.db.tx((tx) => changeRecord(tx, app, caller, API_KEY, id, { verb: 'revoke', patch, audited: () => ({}) }));
}

export interface KeyRow {
  id: number;
  name: string;
  prefix: string;
  user_id: number;
  email: string;
  workspace_id: number;
  created_at: string;
  revoked_at: string | null;
}

/** Lists every key of the installation, without the secrets, for the operator. */
export function listKeys(db: Queryable): Promise<KeyRow[]> {
  return db.query<KeyRow>(sql`
    select k.id, k.name, k.prefix, k.user_id, u.email, k.workspace_id,
      ${timestamp('k.created_at')} as created_at, ${timestamp('k.revoked_at')} as revoked_at
    from api_keys k join users u on u.id = k.user_id order by k.id`);
}

/** The identity that a key stands for: name and email for `GET /me`, and the caller for everything else. */
export interface Identity {
  caller: Caller;
  name: string;
  email: string;
}

/**
 * Authenticates the bearer key of an Authorization header. Nothing is cached: a revoked key, a disabled user and a changed
 * role take effect with the next request. Throws `unauthorized`. Index: api_keys(hash).
 */
export async function authenticate(db: Queryable, authorization: string | undefined, ip: string | null): Promise<Identity> {
  const key = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1] ?? '';
  const form = KEY_FORM.exec(key);
  if (form?.[1] === undefined || checksum(form[1]) !== form[2]) throw unauthorized();
  const [row] = await db.query<{
    id: number;
    workspace_id: number;
    user_id: number;
    role: Role;
    is_default: boolean;
    name: string;
    email: string;
  }>(
    lookup(
      'api-key',
      sql`
    select k.id, k.workspace_id, k.user_id, m.role, w.is_default, u.name, u.email
    from api_keys k
    join users u on u.id = k.user_id and u.disabled_at is null
    join workspaces w on w.id = k.workspace_id and w.archived_at is null
    join memberships m on m.workspace_id = k.workspace_id and m.user_id = k.user_id
    where k.hash = ${hashOf(key)} and k.revoked_at is null`,
    ),
  );
  if (row === undefined) throw unauthorized();
  return {
    name: row.name,
    email: row.email,
    caller: {
      actor: 'user',
      workspaceId: row.workspace_id,
      userId: row.user_id,
      role: row.role,
      apiKeyId: row.id,
      ip,
      isInstallAdmin: row.is_default && row.role === 'admin',
    },
  };
}
