import { audit, type Caller, changeRecord, createRecord, lockWorkspace, scopedRecord, visible } from '../access/index.ts';
import type { App } from '../app.ts';
import { conflict, invalid, notFound } from '../core/errors.ts';
import { nearest } from '../core/nearest-name.ts';
import type { BulkTx } from '../db/bulk.ts';
import { type RowOf, selectColumns } from '../db/record-row.ts';
import { prepared, type Queryable, raw, type Sql, sql } from '../db/statement.ts';
import type { Tx } from '../db/transaction.ts';
import { customValue } from './custom-values.ts';
import type { CustomField } from './entities.ts';
import type { FieldType } from './field-types.ts';

const COLUMNS = ['id', 'name', 'key', 'field_type', 'created_at'] as const;

/** A custom field in the API. */
export type CustomFieldRow = RowOf<CustomField, (typeof COLUMNS)[number]>;

const CUSTOM_FIELD = scopedRecord<CustomField>('CustomField', 'custom_fields');
const MAX_FIELDS = 200;

/** Loaded on demand: only a new field needs transliteration, which takes half as long to load as Node to start. */
const loadKeys = () => import('./field-key.ts');

/** Lists the live custom fields of the workspace, oldest first. Index: custom_fields(workspace_id, key). */
export function listCustomFields(db: Queryable, caller: Caller): Promise<CustomFieldRow[]> {
  return db.query<CustomFieldRow>(
    prepared(
      'custom-fields',
      sql`
      select ${selectColumns<CustomField>('f', COLUMNS)}
      from custom_fields f where ${visible(caller, 'custom_fields', 'f')} order by f.id`,
    ),
  );
}

/**
 * SQL number that identifies the set of live custom fields of the workspace in that column. It changes when a field is added or deleted.
 */
export const customFieldsVersion = (workspaceId: string): Sql => sql`(
  select bit_xor(hashint4extended(f.id, 0)) from custom_fields f where f.workspace_id = ${raw(workspaceId)} and f.deleted_at is null)`;

/**
 * Creates a field with a key that is new to the workspace, even if other fields have the same name. Throws `invalid_request` if there are
 * 200 live fields already.
 */
export async function createCustomField(app: App, caller: Caller, input: { name: string; field_type: FieldType }): Promise<CustomFieldRow> {
  const { freeKey } = await loadKeys();
  const id = await app.db.tx(async (tx) => {
    const given = { ...input, key: freeKey(input.name, takenKeys(await lockFields(tx, caller))) };
    const data = { ...given, workspace_id: caller.workspaceId, created_at: app.clock.now() };
    const field = await createRecord(tx, app, caller, CUSTOM_FIELD, data, { audited: given });
    return field.id;
  });
  const made = (await listCustomFields(app.db, caller)).find((field) => field.id === id);
  if (made === undefined) throw notFound('custom field');
  return made;
}

/** Lists the live custom fields and keeps others from adding any until the transaction ends. */
export async function lockCustomFields(tx: Queryable, caller: Caller): Promise<CustomFieldRow[]> {
  await lockWorkspace(tx, caller);
  return listCustomFields(tx, caller);
}

/** Creates a text field for each name in the transaction of an import. Throws the errors of `createCustomField`. */
export async function createTextFields(tx: BulkTx, app: App, caller: Caller, names: readonly string[]): Promise<CustomFieldRow[]> {
  const now = app.clock.now();
  const { freeKey } = await loadKeys();
  const fields = await lockFields(tx, caller);
  for (const name of names) {
    const key = freeKey(name, takenKeys(fields));
    const [made] = await tx.query<{ id: number }>(sql`
      insert into custom_fields (workspace_id, name, key, field_type, created_at) values (${caller.workspaceId}, ${name}, ${key}, 'text', ${now}) returning id`);
    const changes = { name, field_type: 'text', key };
    await audit(tx, caller, now, { action: 'custom_field.create', resourceType: 'custom_field', resourceId: made?.id ?? null, changes });
    fields.push({ key, is_live: true });
  }
  return listCustomFields(tx, caller);
}

/** The properties of a field from which a new field must differ; deleted fields keep their keys. */
interface TakenField {
  key: string;
  is_live: boolean;
}

/** Locks the workspace, so that concurrent requests can't choose the same key or exceed the limit together. */
async function lockFields(tx: Queryable, caller: Caller): Promise<TakenField[]> {
  await lockWorkspace(tx, caller);
  return tx.query<TakenField>(sql`
    select key, deleted_at is null as is_live from custom_fields where workspace_id = ${caller.workspaceId}`);
}

const countLive = (fields: readonly TakenField[]): number => fields.filter((field) => field.is_live).length;

/** Returns the keys that a new field can't have. Throws `invalid_request` if the workspace has the maximum of live fields. */
function takenKeys(fields: readonly TakenField[]): ReadonlySet<string> {
  if (countLive(fields) >= MAX_FIELDS) throw invalid(`name: at most ${MAX_FIELDS} custom fields in a workspace`);
  return new Set(fields.map(({ key }) => key));
}

/** Restores a deleted field with its former key. Throws `conflict` if 200 fields are live already. */
export async function restoreCustomField(tx: Tx, caller: Caller, id: number): Promise<void> {
  if (countLive(await lockFields(tx, caller)) >= MAX_FIELDS)
    throw conflict(`the workspace has ${MAX_FIELDS} custom fields, which is the maximum; delete one first`);
  await tx.query(sql`update custom_fields set deleted_at = null where id = ${id}`);
}

/** Soft-deletes a field: its values are hidden, not erased. Throws `not_found`. */
export async function deleteCustomField(app: App, caller: Caller, id: number): Promise<void> {
  const patch = { deleted_at: app.clock.now() };
  await app.db.tx((tx) => changeRecord(tx, app, caller, CUSTOM_FIELD, id, { verb: 'delete', patch, audited: () => ({}) }));
}

/** Checks values against the workspace's live fields. Null removes a value. Throws `invalid_request`. */
export async function checkCustomValues(tx: Tx, caller: Caller, values: Record<string, unknown>): Promise<Record<string, string | null>> {
  return Object.keys(values).length === 0 ? {} : checkedValues(await fieldTypes(tx, caller), values);
}

/** Reads the types of the workspace's live fields by key. */
export const fieldTypes = async (db: Queryable, caller: Caller): Promise<ReadonlyMap<string, FieldType>> =>
  new Map((await listCustomFields(db, caller)).map((field) => [field.key, field.field_type]));

/** Checks values against these fields, as `checkCustomValues` does. */
export function checkedValues(fields: ReadonlyMap<string, FieldType>, values: Record<string, unknown>): Record<string, string | null> {
  const checked: Record<string, string | null> = {};
  for (const [key, value] of Object.entries(values)) {
    const type = fields.get(key);
    if (type === undefined) throw invalid(`custom_fields: unknown key "${key.slice(0, 100)}"${nearest(key.slice(0, 100), fields.keys())}`);
    checked[key] = customValue(key, type, value);
  }
  return checked;
}
