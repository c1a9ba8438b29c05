import {
  type Caller,
  changeRecord,
  createRecord,
  type Patch,
  type RecordKind,
  requireSharing,
  scopedRecord,
  visible,
} from '../access/index.ts';
import type { App } from '../app.ts';
import { emailAddress, isSameAddress } from '../core/email-address.ts';
import { conflict, invalid, SQLSTATE, sqlState } from '../core/errors.ts';
import { sql } from '../db/statement.ts';
import type { Tx } from '../db/transaction.ts';
import { checkCustomValues } from './custom-fields.ts';
import { present } from './custom-values.ts';
import type { Contact } from './entities.ts';
import { type ContactRow, getContact } from './read-contact.ts';

export interface NewContact {
  email: string;
  name?: string | undefined;
  company?: string | null | undefined;
  custom_fields?: Record<string, unknown> | undefined;
  list_ids?: number[] | undefined;
  is_shared_to_all?: boolean | undefined;
}

export interface ContactPatch extends Patch<Pick<ContactRow, 'name' | 'email' | 'company' | 'is_shared_to_all'>> {
  custom_fields?: Record<string, unknown> | undefined;
  /** True to change only the given custom fields; null removes a value. */
  merge?: boolean | undefined;
}

/** The verification is not audited, because it depends on the address alone. */
export const CONTACT: RecordKind<Contact> = { ...scopedRecord<Contact>('Contact', 'contacts'), unaudited: ['verification'] };

/** Creates a contact and adds it to the given lists. Throws `conflict` if a live contact of the workspace has the address. */
export async function createContact(app: App, caller: Caller, input: NewContact): Promise<ContactRow> {
  const now = app.clock.now();
  const email = emailAddress(input.email);
  const id = await takenAsConflict(email, () =>
    app.db.tx(async (tx) => {
      const values = await checkCustomValues(tx, caller, input.custom_fields ?? {});
      const lists = await requireLists(tx, caller, input.list_ids ?? []);
      const contact = await createRecord(
        tx,
        app,
        caller,
        CONTACT,
        {
          workspace_id: caller.workspaceId,
          name: input.name ?? '',
          email,
          company: emptyAsNull(input.company),
          custom_fields: present(values),
          is_shared_to_all: input.is_shared_to_all ?? true,
          created_by: caller.userId,
          created_at: now,
          updated_at: now,
        },
        { audited: { email, list_ids: lists } },
      );
      await tx.query(sql`
        insert into list_members (list_id, contact_id, added_at) select l, ${contact.id}, ${now} from unnest(${lists}::int[]) l`);
      return contact.id;
    }),
  );
  return getContact(app.db, caller, id);
}

/**
 * Changes the given fields of a contact. `custom_fields` replaces all values of live fields, unless `merge` is set. Values of deleted
 * fields stay. Throws `not_found` (also if `is_shared_to_all` is set by neither the creator nor an admin), `invalid_request`, `conflict`.
 */
export async function changeContact(app: App, caller: Caller, id: number, patch: ContactPatch): Promise<ContactRow> {
  await takenAsConflict(patch.email?.trim() ?? '', () =>
    app.db.tx((tx) =>
      changeRecord(tx, app, caller, CONTACT, id, { verb: 'update', patch: (contact) => storedValues(tx, caller, contact, patch) }),
    ),
  );
  return getContact(app.db, caller, id);
}

/** Checks that the caller may set the values of a patch, and returns them in the form in which they are stored. */
async function storedValues(tx: Tx, caller: Caller, contact: Contact, patch: ContactPatch): Promise<Patch<Contact>> {
  requireSharing(caller, 'contacts', contact, patch.is_shared_to_all);
  return {
    name: patch.name,
    email: patch.email === undefined ? undefined : emailAddress(patch.email),
    // The verification of one address does not apply to another.
    verification: patch.email === undefined || isSameAddress(patch.email, contact.email) ? undefined : null,
    company: patch.company === undefined ? undefined : emptyAsNull(patch.company),
    custom_fields:
      patch.custom_fields === undefined ? undefined : await customValues(tx, caller, contact, patch.custom_fields, patch.merge ?? false),
    is_shared_to_all: patch.is_shared_to_all,
  };
}

/** Sets or clears the archive flag inside the caller's transaction; idempotent. Throws `not_found`. */
export async function setContactArchived(tx: Tx, app: App, caller: Caller, id: number, archived: boolean): Promise<void> {
  const verb = archived ? 'archive' : 'unarchive';
  await changeRecord(tx, app, caller, CONTACT, id, { verb, patch: { is_archived: archived }, audited: () => ({}) });
}

/** Soft-deletes a contact inside the caller's transaction; its list memberships are kept for a restore. Throws `not_found`. */
export async function removeContact(tx: Tx, app: App, caller: Caller, id: number): Promise<void> {
  const patch = { deleted_at: app.clock.now() };
  await changeRecord(tx, app, caller, CONTACT, id, { verb: 'delete', patch, audited: ({ email }) => ({ email }) });
}

/** Locks the given lists and returns their ids without duplicates. Throws `invalid_request` for one that the caller can't see. */
async function requireLists(tx: Tx, caller: Caller, ids: readonly number[]): Promise<number[]> {
  const wanted = [...new Set(ids)];
  if (wanted.length === 0) return [];
  const rows = await tx.query<{ id: number }>(
    sql`select l.id from lists l where l.id = any(${wanted}::int[]) and ${visible(caller, 'lists', 'l')} for key share`,
  );
  const missing = wanted.find((id) => !rows.some((row) => row.id === id));
  if (missing !== undefined) throw invalid(`list_ids: there is no list ${missing}`);
  return wanted;
}

/** Merges the new values with all stored values, or only with those of deleted fields. */
async function customValues(
  tx: Tx,
  caller: Caller,
  contact: Contact,
  values: Record<string, unknown>,
  isMerged: boolean,
): Promise<Record<string, string>> {
  const checked = await checkCustomValues(tx, caller, values);
  if (isMerged) return present({ ...contact.custom_fields, ...checked });
  const hidden = await tx.query<{ key: string }>(sql`
    select key from custom_fields where workspace_id = ${caller.workspaceId} and deleted_at is not null`);
  const kept = Object.fromEntries(Object.entries(contact.custom_fields).filter(([key]) => hidden.some((field) => field.key === key)));
  return { ...kept, ...present(checked) };
}

const emptyAsNull = (text: string | null | undefined): string | null => (text === undefined || text === '' ? null : text);

/** Turns a unique violation into a `conflict` that does not name the other contact, which may be hidden from the caller. */
async function takenAsConflict<Result>(email: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (sqlState(error) === SQLSTATE.uniqueViolation) throw conflict(`email: a contact with the address ${email} already exists`);
    throw error;
  }
}
