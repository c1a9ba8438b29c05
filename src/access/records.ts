import type { RequiredEntityData } from '@mikro-orm/core';
import type { App } from '../app.ts';
import type { OutreachError } from '../core/errors.ts';
import { join, raw, type Sql, sql } from '../db/statement.ts';
import type { Tx } from '../db/transaction.ts';
import { type AuditEntry, audit, type Changes, differences } from './audit.ts';
import type { Caller } from './caller.ts';
import { missing, resourceTypeOf, type ScopedTable, visible } from './visibility.ts';

/** A kind of record: its entity, who may change it, and its name in the audit log. See docs/decisions/entities-are-for-records.md. */
export interface RecordKind<Entity extends { id: number }> {
  /** The name of the entity, so that code that only reads records does not load MikroORM. */
  readonly entity: string;
  /** Its name in the audit log, for example `custom_field`. */
  readonly resourceType: string;
  /** The error for a record that does not exist or is not visible. */
  missing(): OutreachError;
  /** Condition: the caller may see and change the row `t`. */
  visible(caller: Caller): Sql;
  /** Columns that audit entries leave out: secrets, and values that follow from other columns. */
  readonly unaudited?: readonly (keyof Entity & string)[];
  /** The resource that audit entries name, if it is not the record itself. */
  auditedOn?(record: Entity): Pick<AuditEntry, 'resourceType' | 'resourceId' | 'changes'>;
}

/** Returns the kind of record in one of the tables of `visible`. @param entity the name of its entity */
export const scopedRecord = <Entity extends { id: number }>(entity: string, table: ScopedTable): RecordKind<Entity> => ({
  entity,
  resourceType: resourceTypeOf(table),
  missing: () => missing(table),
  visible: (caller) => visible(caller, table, 't'),
});

/** New values of some fields; undefined ones stay as they are. */
export type Patch<Entity> = { [Field in keyof Entity]?: Entity[Field] | undefined };

export interface RecordChange<Entity> {
  /** The verb of the audit entry, for example `update`. */
  verb: string;
  patch: Patch<Entity> | ((record: Entity, tx: Tx) => Patch<Entity> | Promise<Patch<Entity>>);
  /** The changes that the audit entry shows, instead of the differences. */
  audited?: (record: Entity) => Record<string, unknown>;
}

/** Locks a record that the caller may change (`for no key update`) and returns it. Throws `not_found`. */
export async function lockRecord<Entity extends { id: number }>(
  tx: Tx,
  caller: Caller,
  kind: RecordKind<Entity>,
  id: number,
): Promise<Entity> {
  const { em, metadata } = await tx.entity<Entity>(kind.entity);
  const { tableName, props } = metadata;
  const columns = join(props.flatMap((prop) => prop.fieldNames.map((name) => raw(`t."${name}"`))));
  const [row] = await tx.query(sql`
    select ${columns} from ${raw(`"${tableName}"`)} t where t.id = ${id} and ${kind.visible(caller)} for no key update of t`);
  if (row === undefined) throw kind.missing();
  return em.map(metadata.class, row as Parameters<typeof em.map<Entity>>[1]);
}

/** Locks a record that the caller may change, then changes it as `saveRecord` does. Throws `not_found`. */
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
 * Sets the fields of a locked record that differ from the patch, stamps `updated_at` and writes the audit entry.
 * @returns the differences, or undefined if there are none and nothing was written
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
  const stamp = 'updated_at' in record ? { updated_at: now } : {};
  Object.assign(record, Object.fromEntries(fields.map((field) => [field, changes[field]?.[1]])), stamp);
  const shown = Object.fromEntries(Object.entries(changes).filter(([field]) => !kind.unaudited?.includes(field as keyof Entity & string)));
  await audit(tx, callerOf(caller, record), now, entryOf(kind, record, verb, audited?.(record) ?? shown));
  return changes;
}

/** Creates a record with its audit entry, and returns it with its id. */
export async function createRecord<Entity extends { id: number }>(
  tx: Tx,
  app: App,
  caller: Caller,
  kind: RecordKind<Entity>,
  data: RequiredEntityData<Entity>,
  { verb = 'create', audited }: { verb?: string; audited: Record<string, unknown> },
): Promise<Entity> {
  const { em, metadata } = await tx.entity<Entity>(kind.entity);
  const record = em.create(metadata.class, data) as Entity;
  // Flushed now, because the audit entry names the id.
  await em.flush();
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

/** An operator may change records of any workspace. The audit entry belongs to the record's workspace. */
const callerOf = (caller: Caller, record: object): Caller =>
  'workspace_id' in record && typeof record.workspace_id === 'number' ? { ...caller, workspaceId: record.workspace_id } : caller;
