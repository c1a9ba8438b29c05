import { notFound } from '../core/errors.ts';
import { type Queryable, raw, type Sql, sql } from '../db/statement.ts';
import { type Caller, isAdmin } from './caller.ts';

/** Tables whose rows belong to one workspace and are soft-deleted; `shared` ones can be restricted to some users. */
const SCOPES = {
  campaigns: { shared: true, noun: 'campaign' },
  contacts: { shared: true, noun: 'contact' },
  templates: { shared: true, noun: 'template' },
  accounts: { shared: true, noun: 'account' },
  lists: { shared: false, noun: 'list' },
  custom_fields: { shared: false, noun: 'custom field' },
} as const;

/** Returns the `not_found` for a row that the caller can't see. It is the same for missing, foreign and hidden rows. */
export const missing = (table: ScopedTable) => notFound(SCOPES[table].noun);

/** Returns the resource type of the table's rows in the audit log, for example `custom_field`. */
export const resourceTypeOf = (table: ScopedTable): string => SCOPES[table].noun.replace(' ', '_');

export type ScopedTable = keyof typeof SCOPES;
export type SharedTable = 'campaigns' | 'contacts' | 'templates' | 'accounts';

/** The viewer on whose behalf a statement reads. */
export type Viewer =
  /** The caller. */
  | Caller
  /** The user whose id is in a column of the statement. */
  | UserColumn
  /** The installation itself, which sees the rows of all workspaces. */
  | 'installation';

interface UserColumn {
  /** For example `w.created_by`. Null means the operator, who sees everything. */
  readonly userIn: string;
  /** True if a user who was disabled or removed still sees rows here, because what they set up continues. */
  readonly mayHaveLeft?: boolean;
}

/**
 * The visibility rule, as a condition on `alias` for the `where` of any statement: the row is not deleted, and it is shared to all, or the
 * viewer created it, is on its share list or is an admin. A caller sees only rows of their own workspace.
 */
export function visible(viewer: Viewer, table: ScopedTable, alias: string): Sql {
  const isLive = sql`${raw(alias)}.deleted_at is null`;
  if (viewer === 'installation') return isLive;
  if ('userIn' in viewer) return sql`${isLive} and ${isOpenToColumn(viewer, table, alias)}`;
  const isMine = sql`${raw(alias)}.workspace_id = ${viewer.workspaceId} and ${isLive}`;
  return !SCOPES[table].shared || isAdmin(viewer) ? isMine : sql`${isMine} and (${isShared(sql`${viewer.userId}`, table, alias)})`;
}

/** The user's current role decides. */
function isOpenToColumn({ userIn, mayHaveLeft = false }: UserColumn, table: ScopedTable, alias: string): Sql {
  const [t, user] = [raw(alias), raw(userIn)];
  const isMember = mayHaveLeft
    ? sql`true`
    : sql`exists (select from memberships m join users p on p.id = m.user_id and p.disabled_at is null
      where m.workspace_id = ${t}.workspace_id and m.user_id = ${user})`;
  return sql`(${user} is null or ${isMember} and (${isShared(user, table, alias)} or exists (
    select from memberships m where m.workspace_id = ${t}.workspace_id and m.user_id = ${user} and m.role = 'admin')))`;
}

/** The rule for users who are not admins, written only here. @param user their id, an expression of the statement */
function isShared(user: Sql, table: ScopedTable, alias: string): Sql {
  const t = raw(alias);
  return sql`${t}.is_shared_to_all or ${t}.created_by = ${user} or exists (
    select from shares s where s.resource_type = ${raw(`'${table}'`)} and s.resource_id = ${t}.id and s.user_id = ${user})`;
}

/** Condition: the viewer may see row `id` of the table. @param id a column of the statement */
export const isVisible = (viewer: Viewer, table: ScopedTable, id: string): Sql =>
  sql`exists (select from ${raw(table)} v where v.id = ${raw(id)} and ${visible(viewer, table, 'v')})`;

/** Returns those ids whose rows the caller may see. */
export async function visibleIds(db: Queryable, caller: Caller, table: ScopedTable, ids: readonly number[]): Promise<Set<number>> {
  const rows = await db.query<{ id: number }>(
    sql`select t.id from ${raw(table)} t where t.id = any(${ids}::int[]) and ${visible(caller, table, 't')}`,
  );
  return new Set(rows.map(({ id }) => id));
}

/** Throws `not_found` unless the caller may see the row. */
export async function requireVisible(db: Queryable, caller: Caller, table: ScopedTable, id: number): Promise<void> {
  const rows = await db.query(sql`select 1 from ${raw(table)} t where t.id = ${id} and ${visible(caller, table, 't')}`);
  if (rows.length === 0) throw missing(table);
}
