import type { App } from '../app.ts';
import { conflict, invalid, OutreachError, SQLSTATE, sqlState } from '../core/errors.ts';
import { listPage, type Page, type PageRequest } from '../db/page.ts';
import { empty, join, type Queryable, raw, type Sql, sql } from '../db/statement.ts';
import { timestamp } from '../db/timestamp.ts';
import type { Tx } from '../db/transaction.ts';
import { audit } from './audit.ts';
import type { Caller } from './caller.ts';
import { resourceTypeOf, type ScopedTable } from './visibility.ts';

/** A type of soft-deleted rows, and the function of its owner that restores one. */
export interface TrashKind {
  /** As in API paths, for example `custom-fields`. */
  type: string;
  table: ScopedTable;
  /** The column to show. */
  label: 'name' | 'email';
  /** Message of the `conflict` if a live row has the same unique key. */
  taken?: string;
  /** Condition for the deleted rows `t` that can't be restored, because nothing is left of them. */
  isGone?: Sql;
  /** Clears `deleted_at` and restores everything else that the row needs to be live. */
  restore(tx: Tx, app: App, caller: Caller, id: number): Promise<void>;
}

export interface TrashRow {
  type: string;
  id: number;
  name: string;
  workspace_id: number;
  workspace_name: string;
  deleted_at: string;
}

/**
 * Lists deleted rows of the caller's workspace, or of all for the operator, last deleted first. Scans each table: a rare query, not
 * worth an index that every write would update. Throws `invalid_request` for an unknown type.
 */
export async function listTrash(
  db: Queryable,
  caller: Caller,
  kinds: readonly TrashKind[],
  filter: { type?: string },
  page: PageRequest,
): Promise<Page<TrashRow>> {
  const wanted = filter.type === undefined ? kinds : [kindOf(kinds, filter.type)];
  const inWorkspace = caller.isEverywhere ? empty : sql` and t.workspace_id = ${caller.workspaceId}`;
  const rows = wanted.map(
    ({ type, table, label, isGone }) => sql`(
      select ${type}::text as type, t.id, t.${raw(label)} as name, t.workspace_id, t.deleted_at
      from ${raw(table)} t where ${inTrash({ isGone })}${inWorkspace} order by t.deleted_at desc limit ${page.limit + page.offset})`,
  );
  const counts = wanted.map(({ table, isGone }) => sql`(select count(*) from ${raw(table)} t where ${inTrash({ isGone })}${inWorkspace})`);
  const listed = sql`
    select type, trash.id, trash.name, workspace_id, w.name as workspace_name, ${timestamp('trash.deleted_at')} as deleted_at
    from (${join(rows, ' union all ')}) as trash join workspaces w on w.id = workspace_id
    order by trash.deleted_at desc, type, trash.id`;
  return listPage<TrashRow>(db, listed, sql`select (${join(counts, ' + ')})::int as total`, page);
}

/**
 * Restores a deleted row of the caller's workspace, or of any for the operator. Throws `invalid_request` for an unknown type,
 * `not_found`, and `conflict` if a live row has the same unique key.
 */
export async function restoreFromTrash(app: App, caller: Caller, kinds: readonly TrashKind[], type: string, id: number): Promise<Restored> {
  const kind = kindOf(kinds, type);
  const resourceType = resourceTypeOf(kind.table);
  const mine = caller.isEverywhere ? empty : sql` and t.workspace_id = ${caller.workspaceId}`;
  const work = async (tx: Tx): Promise<Restored> => {
    const [row] = await tx.query<{ name: string; workspace_id: number }>(sql`
      select t.${raw(kind.label)} as name, t.workspace_id from ${raw(kind.table)} t
      where t.id = ${id} and ${inTrash(kind)}${mine} for update`);
    if (row === undefined) throw new OutreachError('not_found', `${resourceType.replaceAll('_', ' ')} ${id} is not in the trash`);
    const there = { ...caller, workspaceId: row.workspace_id };
    await kind.restore(tx, app, there, id);
    await audit(tx, there, app.clock.now(), { action: `${resourceType}.restore`, resourceType, resourceId: id });
    return { type: kind.type, id, ...row };
  };
  return app.db.tx(work).catch((error: unknown) => {
    throw sqlState(error) === SQLSTATE.uniqueViolation ? conflict(kind.taken ?? 'another record has taken its place') : error;
  });
}

const inTrash = ({ isGone }: { isGone?: Sql | undefined }): Sql =>
  isGone === undefined ? sql`t.deleted_at is not null` : sql`t.deleted_at is not null and not (${isGone})`;

/** The restored row. */
export type Restored = Omit<TrashRow, 'deleted_at' | 'workspace_name'>;

function kindOf(kinds: readonly TrashKind[], type: string): TrashKind {
  const kind = kinds.find((candidate) => candidate.type === type);
  if (kind === undefined) throw invalid(`type: must be one of ${kinds.map((candidate) => candidate.type).join(', ')}`);
  return kind;
}
