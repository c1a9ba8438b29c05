import type { EntityName, RequiredEntityData } from '@mikro-orm/core';
import type { App } from '../app.ts';
import type { OutreachError } from '../core/errors.ts';
import { join, raw, type Sql, sql } from '../db/statement.ts';
import type { Tx } from '../db/transaction.ts';
import { type AuditEntry, audit, type Changes, differences } from './audit.ts';
import type { Caller } from './caller.ts';
import { missing, resourceTypeOf, type ScopedTable, visible } from './visibility.ts';

/** A kind of record: what people create and change, and what the audit log tells of it, one entity each. */
export interface RecordKind<Entity extends { id: number }> {
  readonly entity: EntityName<Entity>;
  /** As the audit log names it, for example `custom_field`. */
  readonly resourceType: string;
  /** The refusal of one that does not exist for the caller. */
  missing(): OutreachError;
  /** The condition that the caller may change the row `t`. */
  visible(caller: Caller): Sql;
  /** Columns that no audit entry shows: secrets, and what only follows from other columns. */
  readonly unaudited?: readonly (keyof Entity & string)[];
  /** The resource that audit entries are about, where that is not the record itself. */
  auditedOn?(record: Entity): Pick<AuditEntry, 'resourceType' | 'resourceId' | 'changes'>;
}

/** The kind of record that the rows of a table are which `visible` knows. */
export const scopedRecord = <Entity extends { id: number }>(entity: EntityName<Entity>, table: ScopedTable): RecordKind<Entity> => ({
  entity,
  resourceType: resourceTypeOf(table),
  missing: () => missing(table),
  visible: (caller) => visible(caller, table, 't'),
});

/** New values; what is left out or undefined stays as it is. */
export type Patch<Entity> = { [Field in keyof Entity]?: Entity[Field] | undefined };

export interface RecordChange<Entity> {
  /** The verb of the audit entry, for example `update`. */
  verb: string;
  patch: Patch<Entity> | ((record: Entity, tx: Tx) => Patch<Entity> | Promise<Patch<Entity>>);
  /** The changes that the audit entry shows, instead of the differences. */
  audited?: (record: Entity) => Record<string, unknown>;
}

/** Locks a record that the caller may change, and reads it. Throws `not_found`. */
export async function lockRecord<Entity extends { id: number }>(
  tx: Tx,
  caller: Caller,
  kind: RecordKind<Entity>,
  id: number,
): Promise<Entity> {
  const { tableName, props } = tx.em.getMetadata(kind.entity);
  const columns = join(props.flatMap((prop) => prop.fieldNames.map((name) => raw(`t."${name}"`))));
  const [row] = await tx.query(sql`
    select ${columns} from ${raw(`"${tableName}"`)} t where t.id = ${id} and ${kind.visible(caller)} for no key update of t`);
  if (row === undefined) throw kind.missing();
  return tx.em.map(kind.entity, row as Parameters<typeof tx.em.map<Entity>>[1]);
}

/**
 * Changes a record that the caller may change, with its audit entry: locks it, then saves what differs as `saveRecord`
 * does. Throws `not_found`.
 */
export async function changeRecord<Entity extends { id: number }>(
  tx: Tx,
  app: App,
  caller: Caller,
  kind: RecordKind<Entity>,
  id: number,
  change: RecordChange<Entity>,
): Promise<Changes | undefined> {
  return saveRecord(tx, app, caller, kind, await lockRecord(tx, caller, kind, id), change);
}

/**
 * Changes a locked record, with its audit entry, and stamps `updated_at`. The row itself is written before the next
 * statement of the transaction.
 * @returns what differed, as `{ field: [before, after] }`; undefined, and nothing is written, where nothing did
 */
export async function saveRecord<Entity extends { id: number }>(
  tx: Tx,
  app: App,
  caller: Caller,
  kind: RecordKind<Entity>,
  record: Entity,
  { verb, patch, audited }: RecordChange<Entity>,
): Promise<Changes | undefined> {
  const changes = differences(record, typeof patch === 'function' ? await patch(record, tx) : patch);
  const fields = Object.keys(changes);
  if (fields.length === 0) return undefined;
  const now = app.clock.now();
  const stamp = 'updated_at' in tx.em.getMetadata(kind.entity).properties ? { updated_at: now } : {};
  Object.assign(record, Object.fromEntries(fields.map((field) => [field, changes[field]?.[1]])), stamp);
  const shown = Object.fromEntries(Object.entries(changes).filter(([field]) => !kind.unaudited?.includes(field as keyof Entity & string)));
  await audit(tx, callerOf(caller, record), now, entryOf(kind, record, verb, audited?.(record) ?? shown));
  return changes;
}

/** Stores a new record, with its audit entry. */
export async function createRecord<Entity extends { id: number }>(
  tx: Tx,
  app: App,
  caller: Caller,
  kind: RecordKind<Entity>,
  data: RequiredEntityData<Entity>,
  { verb = 'create', audited }: { verb?: string; audited: Record<string, unknown> },
): Promise<Entity> {
  const record = tx.em.create(kind.entity, data) as Entity;
  // The audit entry names its id.
  await tx.em.flush();
  await audit(tx, callerOf(caller, record), app.clock.now(), entryOf(kind, record, verb, audited));
  return record;
}

function entryOf<Entity extends { id: number }>(
  kind: RecordKind<Entity>,
  record: Entity,
  verb: string,
  changes: Record<string, unknown>,
): AuditEntry {
  const { resourceType } = kind;
  const on = kind.auditedOn?.(record) ?? { resourceType, resourceId: record.id };
  return { ...on, action: `${resourceType}.${verb}`, changes: { ...on.changes, ...changes } };
}

/** An operator changes records of any workspace: the entry stands in the record's own. */
const callerOf = (caller: Caller, record: object): Caller =>
  'workspace_id' in record && typeof record.workspace_id === 'number' ? { ...caller, workspaceId: record.workspace_id } : caller;
