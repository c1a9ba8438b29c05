import { IANAZone } from 'luxon';
import type { App } from '../app.ts';
import { type Queryable, raw, sql, type Tx } from '../db.ts';
import { conflict, invalid, notFound } from '../errors.ts';
import { audit } from './audit.ts';
import { type Caller, operator } from './caller.ts';
import { Workspace } from './entities.ts';

/** Finds a live workspace by id or name (any case); without either, the default one. Throws `not_found`. */
export async function findWorkspace(db: Queryable, idOrName?: string): Promise<{ id: number; name: string }> {
  const wanted =
    idOrName === undefined
      ? sql`is_default`
      : /^\d{1,9}$/.test(idOrName)
        ? sql`(id = ${Number(idOrName)} or lower(name) = lower(${idOrName}))`
        : sql`lower(name) = lower(${idOrName})`;
  const [row] = await db.query<{ id: number; name: string }>(
    sql`select id, name from workspaces where archived_at is null and ${wanted} order by id limit 1`,
  );
  if (row === undefined) throw notFound(idOrName === undefined ? 'default workspace' : `workspace "${idOrName}"`);
  return row;
}

/** Makes a workspace inside a running change. Throws `conflict` when a live one has the name. */
export async function createWorkspace(
  tx: Tx,
  app: App,
  caller: Caller | null,
  input: { name: string; timezone?: string | null; isDefault?: boolean },
): Promise<number> {
  const name = input.name.trim();
  if (name.length === 0 || name.length > 255) throw invalid('name: 1 to 255 characters');
  if (input.timezone != null && !IANAZone.isValidZone(input.timezone))
    throw invalid(`timezone: unknown zone "${input.timezone}"; use an IANA name such as Europe/Berlin`);
  const taken = await tx.query(sql`select 1 from workspaces where lower(name) = lower(${name}) and archived_at is null`);
  if (taken.length > 0) throw conflict(`a workspace named "${name}" exists`);
  const now = app.clock.now();
  const row = tx.em.create(Workspace, {
    name,
    timezone: input.timezone ?? null,
    is_default: input.isDefault ?? false,
    created_at: now,
    updated_at: now,
  });
  await tx.em.flush();
  await audit(tx, { ...(caller ?? operator(row.id)), workspaceId: row.id }, now, {
    action: 'workspace.create',
    resourceType: 'workspace',
    resourceId: row.id,
    changes: { name },
  });
  return row.id;
}

/** Every live workspace with its number of members, for the operator. */
export function listWorkspaces(db: Queryable) {
  return db.query<{ id: number; name: string; is_default: boolean; timezone: string | null; members: number; created_at: string }>(sql`
    select w.id, w.name, w.is_default, w.timezone, count(m.user_id)::int as members,
      ${raw("to_char(w.created_at at time zone 'utc', 'YYYY-MM-DD HH24:MI:SS')")} as created_at
    from workspaces w left join memberships m on m.workspace_id = w.id
    where w.archived_at is null group by w.id order by w.id`);
}
