import type { App } from '../app.ts';
import { conflict, invalid, notFound, OutreachError } from '../core/errors.ts';
import { nearest } from '../core/nearest-name.ts';
import { type RowOf, selectColumns } from '../db/record-row.ts';
import { type Queryable, raw, type Sql, sql } from '../db/statement.ts';
import { timestamp } from '../db/timestamp.ts';
import type { Tx } from '../db/transaction.ts';
import { isZoneName } from '../fields/zone-names.ts';
import { audit } from './audit.ts';
import { type Caller, operator, type Role } from './caller.ts';
import type { Workspace } from './entities.ts';
import { checkedName } from './name.ts';

/** Finds a live (or archived) workspace by id or name, ignoring case; without either, the default workspace. Throws `not_found`. */
export async function findWorkspace(
  db: Queryable,
  idOrName?: string,
  options: { archived?: boolean } = {},
): Promise<{ id: number; name: string }> {
  const wanted =
    idOrName === undefined
      ? sql`is_default`
      : /^\d{1,9}$/.test(idOrName)
        ? sql`(id = ${Number(idOrName)} or lower(name) = lower(${idOrName}))`
        : sql`lower(name) = lower(${idOrName})`;
  const [row] = await db.query<{ id: number; name: string }>(
    sql`select id, name from workspaces where (archived_at is not null) = ${options.archived ?? false} and ${wanted} order by id limit 1`,
  );
  if (row === undefined) throw await unknownWorkspace(db, idOrName, options.archived ?? false);
  return row;
}

/** Returns the error for a workspace that does not exist, suggesting the nearest name. */
async function unknownWorkspace(db: Queryable, idOrName: string | undefined, archived: boolean): Promise<OutreachError> {
  if (idOrName === undefined) return notFound('default workspace');
  const rows = await db.query<{ name: string }>(sql`select name from workspaces where (archived_at is not null) = ${archived}`);
  const names = rows.map(({ name }) => name);
  const missing = notFound(`workspace "${idOrName}"`);
  const hint = nearest(idOrName, names);
  return hint === '' ? missing : new OutreachError('not_found', `${missing.message}${hint}`);
}

const COLUMNS = ['id', 'name', 'is_default', 'timezone', 'positive_labels', 'created_at', 'updated_at'] as const;

/** A workspace in the API; `role` is the caller's. */
export interface WorkspaceRow extends RowOf<Workspace, (typeof COLUMNS)[number]> {
  role: Role;
}

/** Reads the caller's workspace; a key has access to no other. */
export async function getWorkspace(db: Queryable, caller: Caller): Promise<WorkspaceRow> {
  const [row] = await db.query<WorkspaceRow>(sql`
    select ${selectColumns<Workspace>('w', COLUMNS)}, ${caller.role} as role from workspaces w where w.id = ${caller.workspaceId}`);
  if (row === undefined) throw notFound('workspace');
  return row;
}

/** Records the id of the secret that encrypts everything in the database from now on. */
export const recordSecret = (tx: Queryable, keyId: string): Promise<unknown> =>
  tx.query(sql`update workspaces set key_id = ${keyId} where is_default`);

/**
 * Gives the database a new history id, which invalidates earlier marks of its progress. Returns false if the current id is not the expected
 * one.
 */
export async function renewHistory(tx: Queryable, expected?: string): Promise<boolean> {
  const renewed = await tx.query(sql`
    update workspaces set history_id = gen_random_uuid()
    where is_default and history_id = coalesce(${expected ?? null}::uuid, history_id) returning id`);
  return renewed.length > 0;
}

/** Condition: the workspace with the id in that column is not archived. Index: workspaces_pkey. */
export const isLiveWorkspace = (workspaceId: string): Sql =>
  sql`exists (select from workspaces w where w.id = ${raw(workspaceId)} and w.archived_at is null)`;

/** Throws `conflict` if the caller's workspace is archived: nothing in it may start again. */
export async function requireLiveWorkspace(tx: Tx, caller: Caller): Promise<void> {
  const [row] = await tx.query<{ is_live: boolean }>(sql`
    select archived_at is null as is_live from workspaces where id = ${caller.workspaceId} for key share`);
  if (row?.is_live !== true) throw conflict('the workspace is archived; unarchive it first');
}

/** Locks the caller's workspace until the transaction ends, to serialize counting and numbering in it. */
export async function lockWorkspace(tx: Queryable, caller: Caller): Promise<void> {
  await tx.query(sql`select 1 from workspaces where id = ${caller.workspaceId} for no key update`);
}

/** A workspace in the operator's list. */
export interface WorkspaceSummary {
  id: number;
  name: string;
  is_default: boolean;
  timezone: string | null;
  is_archived: boolean;
  members: number;
  created_at: string;
}

/** Lists the live (or archived) workspaces with their number of members, for the operator. */
export function listWorkspaces(db: Queryable, options: { archived?: boolean } = {}): Promise<WorkspaceSummary[]> {
  return db.query<WorkspaceSummary>(sql`
    select w.id, w.name, w.is_default, w.timezone, w.archived_at is not null as is_archived,
      (select count(*)::int from memberships m where m.workspace_id = w.id) as members, ${timestamp('w.created_at')} as created_at
    from workspaces w where (w.archived_at is not null) = ${options.archived ?? false} order by w.id`);
}

/** Creates a workspace inside the caller's transaction. Throws `conflict` if a live one has the name. */
export async function createWorkspace(
  tx: Tx,
  app: App,
  caller: Caller | null,
  input: { name: string; timezone?: string | null; isDefault?: boolean },
): Promise<number> {
  const name = checkedName(input.name);
  const timezone = input.timezone == null ? null : checkedZone(input.timezone);
  const now = app.clock.now();
  const [row] = await tx.query<{ id: number }>(sql`
    insert into workspaces (name, timezone, is_default, created_at, updated_at)
    values (${name}, ${timezone}, ${input.isDefault ?? false}, ${now}, ${now})
    on conflict (lower(name)) where archived_at is null do nothing returning id`);
  if (row === undefined) throw nameTaken(name);
  await audit(tx, { ...(caller ?? operator(row.id)), workspaceId: row.id }, now, {
    action: 'workspace.create',
    resourceType: 'workspace',
    resourceId: row.id,
    changes: { name, timezone },
  });
  return row.id;
}

/** Returns the time zone if it is valid. Throws `invalid_request`. */
export function checkedZone(timezone: string): string {
  if (!isZoneName(timezone)) throw invalid(`timezone: unknown time zone "${timezone}"; use an IANA name such as Europe/Berlin`);
  return timezone;
}

/** Returns the `conflict` for a name that a live workspace has. */
export const nameTaken = (name: string) => conflict(`a workspace named "${name}" already exists`);
