import { notFound } from '../core/errors.ts';
import { empty, type Queryable, raw, type Sql, sql } from '../db/statement.ts';
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

/** The `not_found` for a row that the caller cannot see, the same for missing, foreign and hidden rows. */
export const missing = (table: ScopedTable) => notFound(SCOPES[table].noun);

/** Resource type of the table's rows in the audit log, for example `custom_field`. */
export const resourceTypeOf = (table: ScopedTable): string => SCOPES[table].noun.replace(' ', '_');

export type ScopedTable = keyof typeof SCOPES;
export type SharedTable = 'campaigns' | 'contacts' | 'templates' | 'accounts';

/**
 * The visibility rule, as a condition on `alias` for the `where` of any statement: the row is in the caller's workspace and
 * not deleted, and it is shared to all or the caller is an admin, its creator or on its share list.
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
 * Limits a statement to the rows of the whole installation (`everywhere`) or to those that one caller may see (`seenBy`),
 * by a condition on `alias`. Deleted rows are in neither.
 */
export type Scope = (table: ScopedTable, alias: string) => Sql;

export const everywhere: Scope = (_table, alias) => sql`${raw(alias)}.deleted_at is null`;

export const seenBy =
  (caller: Caller): Scope =>
  (table, alias) =>
    visible(caller, table, alias);

/**
 * The visibility rule for a user id in a column of the statement, on tables with share lists. Their current role decides; a
 * disabled or removed user sees nothing; null, the operator, sees everything.
 */
export function visibleTo(user: string, table: SharedTable, alias: string): Sql {
  const [t, u] = [raw(alias), raw(user)];
  return sql`${t}.deleted_at is null and (${u} is null or exists (
    select from memberships m join users p on p.id = m.user_id and p.disabled_at is null
    where m.workspace_id = ${t}.workspace_id and m.user_id = ${u}
      and (m.role = 'admin' or ${t}.is_shared_to_all or ${t}.created_by = ${u} or exists (
        select from shares s where s.resource_type = ${raw(`'${table}'`)} and s.resource_id = ${t}.id and s.user_id = ${u}))))`;
}

/**
 * Condition: the row may be shown to `user`, a column of the statement, whether or not they are disabled: what they arranged goes on
 * after they leave. Null, the operator, sees everything.
 */
export function isOpenTo(user: string, table: SharedTable, alias: string): Sql {
  const [t, u] = [raw(alias), raw(user)];
  return sql`(${u} is null or ${t}.is_shared_to_all or ${t}.created_by = ${u} or exists (
      select 1 from shares s where s.resource_type = ${raw(`'${table}'`)} and s.resource_id = ${t}.id and s.user_id = ${u})
    or exists (select from memberships m where m.workspace_id = ${t}.workspace_id and m.user_id = ${u} and m.role = 'admin'))`;
}

/** Condition: row `id` of the table exists and `user` may see it, by `visibleTo`; both are columns of the statement. */
export const isVisibleTo = (user: string, table: SharedTable, id: string): Sql =>
  sql`exists (select from ${raw(table)} v where v.id = ${raw(id)} and ${visibleTo(user, table, 'v')})`;

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
