import type { App } from '../app.ts';
import { conflict, invalid, notFound } from '../core/errors.ts';
import { empty, type Queryable, sql } from '../db/statement.ts';
import { timestamp } from '../db/timestamp.ts';
import type { Tx } from '../db/transaction.ts';
import { type Caller, requireScope, SCOPES, type Scope } from './caller.ts';
import type { ApiKey } from './entities.ts';
import { generateKey, hashOf } from './key-text.ts';
import { checkedName } from './name.ts';
import { changeRecord, createRecord, type RecordKind } from './records.ts';
import { isMember } from './users.ts';

const API_KEY: RecordKind<ApiKey> = {
  entity: 'ApiKey',
  resourceType: 'api_key',
  missing: () => notFound('key'),
  visible: (caller) => (caller.isEverywhere ? sql`true` : sql`t.workspace_id = ${caller.workspaceId}`),
  unaudited: ['hash'],
};

/** The data of a new key. */
export interface NewKey {
  name: string;
  userId: number;
  workspaceId: number;
  /** When it expires; null if it never does. */
  expiresAt?: Date | null;
  /** The part of its user's rights that the key has; by default all of them. */
  scopes?: readonly Scope[];
}

/**
 * Creates a key for a member of a workspace, inside the caller's transaction. Throws `conflict` for a disabled user
 * and one who is not a member, `invalid_request` for a bad name or an expiry that is not in the future.
 * @returns the key's id, and the key itself, which is never stored
 */
export async function createKey(tx: Tx, app: App, caller: Caller, input: NewKey): Promise<{ id: number; key: string }> {
  const name = checkedName(input.name, 100);
  const { expiresAt = null, scopes = SCOPES } = input;
  if (expiresAt !== null && expiresAt <= app.clock.now()) throw invalid('expires_at: must be in the future');
  // The lock makes a concurrent `disableUser` or `removeUser` see and revoke this key.
  const [owner] = await tx.query<{ disabled: boolean }>(sql`
    select u.disabled_at is not null as disabled from users u
    join memberships m on m.user_id = u.id and m.workspace_id = ${input.workspaceId}
    where u.id = ${input.userId} for share of u, m`);
  if (owner === undefined) throw conflict('the user is not a member of the workspace; to add them, run: outreach user create');
  if (owner.disabled) throw conflict("the user is disabled and can't have an API key; to enable them, run: outreach user enable");
  const key = generateKey();
  const data = {
    workspace_id: input.workspaceId,
    user_id: input.userId,
    name,
    prefix: key.slice(0, 8),
    hash: hashOf(key),
    scopes: [...scopes],
    created_at: app.clock.now(),
    expires_at: expiresAt,
  };
  const expires = expiresAt === null ? {} : { expires_at: expiresAt.toISOString() };
  const row = await createRecord(tx, app, caller, API_KEY, data, { audited: { name, user_id: input.userId, scopes, ...expires } });
  return { id: row.id, key };
}

/**
 * Creates a key for a member of the caller's workspace. Throws `invalid_request` for a user who is not a member, otherwise like
 * `createKey`, and `forbidden` for a scope that the caller's own key lacks.
 * @returns the key's id, and the key itself, which is never stored
 */
export async function createMemberKey(
  app: App,
  caller: Caller,
  { name, userId, expiresAt = null, scopes = SCOPES }: Omit<NewKey, 'workspaceId'>,
): Promise<{ id: number; key: string }> {
  const { workspaceId } = caller;
  for (const scope of scopes) requireScope(caller, scope);
  return app.db.tx(async (tx) => {
    if (!(await isMember(tx, { ...caller, userId }))) throw invalid('user_id: must be the id of a member of the workspace');
    return createKey(tx, app, caller, { name, userId, workspaceId, expiresAt, scopes });
  });
}

/** Throws `not_found` unless the caller may revoke the key. */
export async function requireKey(db: Queryable, caller: Caller, id: number): Promise<void> {
  const rows = await db.query(sql`select 1 from api_keys t where t.id = ${id} and ${API_KEY.visible(caller)}`);
  if (rows.length === 0) throw API_KEY.missing();
}

/** Revokes a key with effect from the next request. A key that is already revoked stays unchanged. Throws `not_found`. */
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
  workspace_name: string;
  scopes: Scope[];
  created_at: string;
  /** The last use, to the hour; null for a key that was never used. */
  last_used_at: string | null;
  expires_at: string | null;
  revoked_at: string | null;
}

/** Lists the keys of the caller's workspace, or of all for the operator, without the secrets. */
export function listKeys(db: Queryable, caller: Caller): Promise<KeyRow[]> {
  const mine = caller.isEverywhere ? empty : sql`where k.workspace_id = ${caller.workspaceId}`;
  return db.query<KeyRow>(sql`
    select k.id, k.name, k.prefix, k.user_id, u.email, k.workspace_id, w.name as workspace_name, k.scopes,
      ${timestamp('k.created_at')} as created_at, ${timestamp('k.last_used_at')} as last_used_at,
      ${timestamp('k.expires_at')} as expires_at, ${timestamp('k.revoked_at')} as revoked_at
    from api_keys k join users u on u.id = k.user_id join workspaces w on w.id = k.workspace_id ${mine} order by k.id`);
}
