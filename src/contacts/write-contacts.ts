import { type AuditEntry, auditAll, type Caller, differences, visible, visibleIds } from '../access/index.ts';
import type { App } from '../app.ts';
import { addressKey, emailAddress } from '../core/email-address.ts';
import { conflict, invalid, OutreachError } from '../core/errors.ts';
import { raw, sql } from '../db/statement.ts';
import type { Tx } from '../db/transaction.ts';
import type { NewContact } from './change-contact.ts';
import { checkedValues, fieldTypes } from './custom-fields.ts';
import { present } from './custom-values.ts';
import { type ContactRow, getContact } from './read-contact.ts';

/** The outcome for one contact of a batch. */
export interface Written {
  email: string;
  status: 'created' | 'updated' | 'unchanged' | 'conflict' | 'invalid';
  /** The contact with this address; null if there is none or the caller can't see it. */
  id: number | null;
  /** Reason why nothing was written: the field and the rule. */
  error: string | null;
}

/** A valid row of a batch, with the position of its outcome. */
interface Row extends Pick<NewContact, 'name' | 'company' | 'is_shared_to_all'> {
  position: number;
  email: string;
  values: Record<string, string | null>;
  lists: number[];
}

interface Existing {
  id: number;
  key: string;
  name: string;
  company: string | null;
  custom_fields: Record<string, string>;
  is_visible: boolean;
}

const FOUND = 'a contact has this address; with "update": true, it is changed';
const HIDDEN = "another contact, which this key can't see, has this address";

/**
 * Creates contacts and, with `update`, changes existing ones, by address. Given fields replace the stored ones, custom fields are replaced
 * key by key, and contacts are added to the given lists. A row that can't be written does not affect the others. Uses one transaction and a
 * few statements for any number of rows. `is_shared_to_all` applies only to new contacts.
 * @returns the outcome of each row, in their order
 */
export async function writeContacts(app: App, caller: Caller, contacts: readonly NewContact[], update: boolean): Promise<Written[]> {
  return app.db.tx(async (tx) => {
    const { rows, outcomes } = await checkRows(tx, caller, contacts);
    for (let open = rows; open.length > 0; ) {
      const existing = await findExisting(tx, caller, open);
      const known = open.filter((row) => existing.has(addressKey(row.email)));
      await changeExisting(tx, app, caller, known, existing, update, outcomes);
      const created = await createMissing(
        tx,
        app,
        caller,
        open.filter((row) => !existing.has(addressKey(row.email))),
        outcomes,
      );
      // Another transaction created the others in between; the next round finds them.
      open = open.filter((row) => !existing.has(addressKey(row.email)) && !created.has(row.position));
    }
    return contacts.map((_, position) => outcomes.get(position) as Written);
  });
}

/** Creates the contact with an address, or changes it as `writeContacts` does. Throws `invalid_request`, or `conflict` for a hidden one. */
export async function putContact(app: App, caller: Caller, contact: NewContact): Promise<{ contact: ContactRow; isNew: boolean }> {
  const [written] = await writeContacts(app, caller, [contact], true);
  if (written === undefined || written.id === null) {
    const message = written?.error ?? 'nothing was written';
    throw written?.status === 'conflict' ? conflict(`email: ${message}`) : invalid(message);
  }
  return { contact: await getContact(app.db, caller, written.id), isNew: written.status === 'created' };
}

/** Checks each row separately; the first of several with the same address counts. */
async function checkRows(tx: Tx, caller: Caller, contacts: readonly NewContact[]) {
  const fields = await fieldTypes(tx, caller);
  const lists = await visibleIds(tx, caller, 'lists', [...new Set(contacts.flatMap((contact) => contact.list_ids ?? []))]);
  const outcomes = new Map<number, Written>();
  const first = new Map<string, number>();
  const rows: Row[] = [];
  for (const [position, contact] of contacts.entries()) {
    try {
      const email = emailAddress(contact.email);
      const earlier = first.get(addressKey(email));
      if (earlier !== undefined) throw invalid(`email: the same address as in contacts[${earlier}]`);
      const missing = contact.list_ids?.find((id) => !lists.has(id));
      if (missing !== undefined) throw invalid(`list_ids: there is no list ${missing}`);
      const values = checkedValues(fields, contact.custom_fields ?? {});
      first.set(addressKey(email), position);
      const { name, company, is_shared_to_all, list_ids = [] } = contact;
      rows.push({
        position,
        email,
        values,
        name,
        company: company === '' ? null : company,
        is_shared_to_all,
        lists: [...new Set(list_ids)],
      });
    } catch (error) {
      if (!(error instanceof OutreachError)) throw error;
      outcomes.set(position, { email: contact.email, status: 'invalid', id: null, error: error.message });
    }
  }
  return { rows, outcomes };
}

/** Locks the live contacts that have one of the addresses, in the order of their ids. Index: contacts_live_email. */
async function findExisting(tx: Tx, caller: Caller, rows: readonly Row[]): Promise<Map<string, Existing>> {
  const found = await tx.query<Existing>(sql`
    select c.id, r.key, c.name, c.company, c.custom_fields, (${visible(caller, 'contacts', 'c')}) as is_visible
    from unnest(${rows.map((row) => row.email)}::text[], ${rows.map((row) => addressKey(row.email))}::text[]) r (email, key)
    join contacts c on c.workspace_id = ${raw(String(caller.workspaceId))} and address_key(c.email) = address_key(r.email) and c.deleted_at is null
    order by c.id for no key update of c`);
  return new Map(found.map((contact) => [contact.key, contact]));
}

async function changeExisting(
  tx: Tx,
  app: App,
  caller: Caller,
  rows: readonly Row[],
  existing: ReadonlyMap<string, Existing>,
  update: boolean,
  outcomes: Map<number, Written>,
): Promise<void> {
  const changed: { id: number; name: string; company: string | null; custom_fields: string }[] = [];
  const entries: AuditEntry[] = [];
  const joining: Joining[] = [];
  for (const row of rows) {
    const contact = existing.get(addressKey(row.email)) as Existing;
    const { id, is_visible: isVisible } = contact;
    if (!isVisible || !update) {
      const error = isVisible ? FOUND : HIDDEN;
      outcomes.set(row.position, { email: row.email, status: 'conflict', id: isVisible ? id : null, error });
      continue;
    }
    const custom_fields = present({ ...contact.custom_fields, ...row.values });
    const changes = differences(contact, { name: row.name, company: row.company, custom_fields });
    joining.push({ id, lists: row.lists });
    outcomes.set(row.position, { email: row.email, status: Object.keys(changes).length > 0 ? 'updated' : 'unchanged', id, error: null });
    if (Object.keys(changes).length === 0) continue;
    const company = row.company === undefined ? contact.company : row.company;
    changed.push({ id, name: row.name ?? contact.name, company, custom_fields: JSON.stringify(custom_fields) });
    entries.push({ action: 'contact.update', resourceType: 'contact', resourceId: id, changes });
  }
  const now = app.clock.now();
  await joinLists(tx, joining, now);
  if (changed.length === 0) return;
  await tx.query(sql`
    update contacts c set name = n.name, company = n.company, custom_fields = n.custom_fields::jsonb, updated_at = ${now}
    from unnest(${changed.map(({ id }) => id)}::int[], ${changed.map(({ name }) => name)}::text[],
      ${changed.map(({ company }) => company)}::text[], ${changed.map(({ custom_fields }) => custom_fields)}::text[]
    ) n (id, name, company, custom_fields) where c.id = n.id`);
  await auditAll(tx, caller, now, entries);
}

/** Creates the contacts whose address is still free. Returns the positions of those that it created. */
async function createMissing(
  tx: Tx,
  app: App,
  caller: Caller,
  rows: readonly Row[],
  outcomes: Map<number, Written>,
): Promise<ReadonlySet<number>> {
  if (rows.length === 0) return new Set();
  const now = app.clock.now();
  const made = await tx.query<{ id: number; email: string }>(sql`
    insert into contacts (workspace_id, name, email, company, custom_fields, is_shared_to_all, created_by, created_at, updated_at)
    select ${caller.workspaceId}, r.name, r.email, r.company, r.custom_fields::jsonb, r.is_shared, ${caller.userId}, ${now}::timestamptz,
      ${now}::timestamptz
    from unnest(${rows.map((row) => row.name ?? '')}::text[], ${rows.map((row) => row.email)}::text[],
      ${rows.map((row) => row.company ?? null)}::text[], ${rows.map((row) => JSON.stringify(present(row.values)))}::text[],
      ${rows.map((row) => row.is_shared_to_all ?? true)}::boolean[]
    ) with ordinality as r (name, email, company, custom_fields, is_shared, position) order by r.position
    on conflict (workspace_id, address_key(email)) where deleted_at is null do nothing returning id, email`);
  const ids = new Map(made.map(({ id, email }) => [email, id]));
  const created = rows.flatMap((row) => {
    const id = ids.get(row.email);
    return id === undefined ? [] : [{ ...row, id }];
  });
  for (const { position, email, id } of created) outcomes.set(position, { email, status: 'created', id, error: null });
  await joinLists(tx, created, now);
  const entries = created.map(({ id, email, lists }) => ({
    ...{ action: 'contact.create', resourceType: 'contact', resourceId: id },
    changes: { email, list_ids: lists },
  }));
  await auditAll(tx, caller, now, entries);
  return new Set(created.map(({ position }) => position));
}

interface Joining {
  id: number;
  lists: readonly number[];
}

async function joinLists(tx: Tx, contacts: readonly Joining[], now: Date): Promise<void> {
  const pairs = contacts.flatMap(({ id, lists }) => lists.map((list) => ({ id, list })));
  if (pairs.length === 0) return;
  await tx.query(sql`
    insert into list_members (list_id, contact_id, added_at)
    select l.id, m.contact_id, ${now}::timestamptz
    from unnest(${pairs.map(({ list }) => list)}::int[], ${pairs.map(({ id }) => id)}::int[]) m (list_id, contact_id)
    join lists l on l.id = m.list_id and l.deleted_at is null
    order by 1, 2 on conflict do nothing`);
}
