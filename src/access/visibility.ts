import { notFound } from '../core/errors.ts';
import { empty, type Queryable, raw, type Sql, sql } from '../db/statement.ts';
import { type Caller, isAdmin } from './caller.ts';

/** Tables whose rows live in one workspace and are deleted softly; `shared` ones can be narrowed to a few people. */
const SCOPES = {
  campaigns: { shared: true, noun: 'campaign' },
  contacts: { shared: true, noun: 'contact' },
  templates: { shared: true, noun: 'template' },
  accounts: { shared: true, noun: 'account' },
  lists: { shared: false, noun: 'list' },
  custom_fields: { shared: false, noun: 'custom field' },
} as const;

/** The refusal for a row that does not exist for the caller; the same words whether it is missing, foreign or hidden. */
export const missing = (table: ScopedTable) => notFound(SCOPES[table].noun);

/** The word by which the audit trail names rows of the table, for example `custom_field`. */
export const resourceTypeOf = (table: ScopedTable): string => SCOPES[table].noun.replace(' ', '_');

export type ScopedTable = keyof typeof SCOPES;
export type SharedTable = 'campaigns' | 'contacts' | 'templates' | 'accounts';

/**
 * The one visibility rule: the row is in the caller's workspace, not deleted, and shared to all, or the caller is an
 * admin, its creator, or on its share list. A condition on `alias`, for the `where` of any statement.
 */
export function visible(caller: Caller, table: ScopedTable, alias: string): Sql {
  const t = raw(alias);
  const scope =
    !SCOPES[table].shared || isAdmin(caller)
      ? empty
      : sql` and (${t}.is_shared_to_all or ${t}.created_by = ${caller.userId} or exists (
          select 1 from shares s
          where s.resource_type = ${raw(`'${table}'`)} and s.resource_id = ${t}.id and s.user_id = ${caller.userId}))`;
  return sql`${t}.workspace_id = ${caller.workspaceId} and ${t}.deleted_at is null${scope}`;
}

/**
 * Whose rows a statement counts, as a condition on the rows `alias` of a table: those of the whole installation
 * (`everywhere`), or those that one caller may see (`seenBy`). Deleted rows are in neither.
 */
export type Scope = (table: ScopedTable, alias: string) => Sql;

export const everywhere: Scope = (_table, alias) => sql`${raw(alias)}.deleted_at is null`;

export const seenBy =
  (caller: Caller): Scope =>
  (table, alias) =>
    visible(caller, table, alias);

/**
 * The same rule for somebody who is a column of the statement and not the one who asks: what they may see by their role
 * now, nothing once they are disabled or gone, everything for null, the operator. Of the types with share lists.
 */
export function visibleTo(user: string, table: SharedTable, alias: string): Sql {
  const [t, u] = [raw(alias), raw(user)];
  return sql`${t}.deleted_at is null and (${u} is null or exists (
    select from memberships m join users p on p.id = m.user_id and p.disabled_at is null
    where m.workspace_id = ${t}.workspace_id and m.user_id = ${u}
      and (m.role = 'admin' or ${t}.is_shared_to_all or ${t}.created_by = ${u} or exists (
        select from shares s where s.resource_type = ${raw(`'${table}'`)} and s.resource_id = ${t}.id and s.user_id = ${u}))))`;
}

/** Row `id` of the table exists and is visible to `user`, as `visibleTo` has it; both are columns of the statement. */
export const isVisibleTo = (user: string, table: SharedTable, id: string): Sql =>
  sql`exists (select from ${raw(table)} v where v.id = ${raw(id)} and ${visibleTo(user, table, 'v')})`;

/** Those of the ids whose rows the caller may see. */
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
