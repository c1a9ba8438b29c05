import { audit, type Caller, changeRecord, createRecord, notHidden, requireVisible, scopedRecord, visible } from '../access/index.ts';
import type { App } from '../app.ts';
import { notFound, OutreachError } from '../core/errors.ts';
import { listPage, type Page, type PageRequest } from '../db/page.ts';
import { type RowOf, selectColumns } from '../db/record-row.ts';
import { type Queryable, type Sql, sql } from '../db/statement.ts';
import { discardPlans } from '../db/statistics.ts';
import type { Tx } from '../db/transaction.ts';
import type { List } from './entities.ts';

const COLUMNS = ['id', 'name', 'created_at', 'updated_at'] as const;

/** A list in the API. */
export interface ListRow extends RowOf<List, (typeof COLUMNS)[number]> {
  contact_count: number;
}

export interface MemberRow {
  contact_id: number;
  name: string;
  email: string;
}

const LIST = scopedRecord<List>('List', 'lists');

/** Up to this number of members, a bad plan takes no noticeable time. */
const SMALL_LIST = 100;

/**
 * SQL expression for the number of live contacts on a list `l`. It is the same for everyone who may open the list. Indexes:
 * list_members_pkey, contacts_hidden.
 */
const contactCount = ({ workspaceId }: Caller): Sql => sql`(
  select count(*)::int from list_members m where m.list_id = l.id and exists (
    select from contacts h where h.workspace_id = ${workspaceId} and h.id = m.contact_id and h.deleted_at is not null) is not true)`;

const listColumns = (caller: Caller): Sql => sql`${selectColumns<List>('l', COLUMNS)}, ${contactCount(caller)} as contact_count`;

/** Finds lists by name, ignoring case. Index: lists_page. */
export const listsNamed = (db: Queryable, caller: Caller, name: string): Promise<{ id: number }[]> =>
  db.query(sql`select l.id from lists l where lower(l.name) = lower(${name}) and ${visible(caller, 'lists', 'l')} order by l.id`);

/** Lists the lists of the workspace by id. Index: lists_page. */
export function listLists(db: Queryable, caller: Caller, page: PageRequest): Promise<Page<ListRow>> {
  const mine = visible(caller, 'lists', 'l');
  return listPage<ListRow>(
    db,
    sql`select ${listColumns(caller)} from lists l where ${mine} order by l.id`,
    sql`select count(*)::int as total from lists l where ${mine}`,
    page,
  );
}

/** Reads one list. Throws `not_found`. */
export async function getList(db: Queryable, caller: Caller, id: number): Promise<ListRow> {
  const [row] = await db.query<ListRow>(
    sql`select ${listColumns(caller)} from lists l where l.id = ${id} and ${visible(caller, 'lists', 'l')}`,
  );
  if (row === undefined) throw notFound('list');
  return row;
}

export async function createList(app: App, caller: Caller, name: string): Promise<ListRow> {
  const now = app.clock.now();
  const id = await app.db.tx(async (tx) => {
    const data = { workspace_id: caller.workspaceId, name, created_by: caller.userId, created_at: now };
    const list = await createRecord(tx, app, caller, LIST, data, { audited: { name } });
    return list.id;
  });
  return getList(app.db, caller, id);
}

/** Renames a list. Throws `not_found`. */
export async function renameList(app: App, caller: Caller, id: number, name: string | undefined): Promise<ListRow> {
  await app.db.tx((tx) => changeRecord(tx, app, caller, LIST, id, { verb: 'update', patch: { name } }));
  return getList(app.db, caller, id);
}

/** Soft-deletes a list; its contacts stay, and its memberships are kept for a restore. Throws `not_found`. */
export async function deleteList(app: App, caller: Caller, id: number): Promise<void> {
  const patch = { deleted_at: app.clock.now() };
  await app.db.tx((tx) => changeRecord(tx, app, caller, LIST, id, { verb: 'delete', patch, audited: ({ name }) => ({ name }) }));
}

/**
 * Lists the live contacts on a list whom the caller may see, by contact id, and counts them. Throws `not_found`. Indexes:
 * list_members_pkey, contacts_hidden.
 */
export async function listMembers(db: Queryable, caller: Caller, id: number, page: PageRequest): Promise<Page<MemberRow>> {
  await requireVisible(db, caller, 'lists', id);
  const { limit, offset } = page;
  const seen = (examined?: number) =>
    sql`from list_members m where m.list_id = ${id} and ${notHidden(caller, 'contacts', sql`m.contact_id`, examined)}`;
  const chosen = sql`select m.contact_id ${seen(offset + limit)} order by m.contact_id limit ${limit} offset ${offset}`;
  const [data, [count]] = await Promise.all([
    db.query<MemberRow>(
      sql`select c.id as contact_id, c.name, c.email from (${chosen}) page join contacts c on c.id = page.contact_id order by c.id`,
    ),
    db.query<{ total: number }>(sql`select count(*)::int as total ${seen()}`),
  ]);
  return { data, pagination: { total: count?.total ?? 0, ...page } };
}

/**
 * Adds contacts to a list; skips members, and contacts who are unknown or invisible. Returns the number of added contacts. Throws
 * `not_found`.
 */
export async function addMembers(app: App, caller: Caller, id: number, contactIds: readonly number[]): Promise<number> {
  const now = app.clock.now();
  return app.db.tx(async (tx) => {
    await lockList(tx, caller, id);
    if (contactIds.length > SMALL_LIST) await discardPlans(tx);
    const added = await tx.query<{ contact_id: number }>(sql`
      insert into list_members (list_id, contact_id, added_at)
      select ${id}, c.id, ${now} from contacts c where c.id = any(${[...new Set(contactIds)]}::int[]) and ${visible(caller, 'contacts', 'c')} order by c.id
      on conflict do nothing returning contact_id`);
    if (added.length > 0)
      await audit(tx, caller, now, {
        action: 'list.add_members',
        resourceType: 'list',
        resourceId: id,
        changes: { contact_ids: added.map((row) => row.contact_id) },
      });
    return added.length;
  });
}

/** Locks a list for a change of its members, with the same lock as a change of the list itself. Throws `not_found`. */
async function lockList(tx: Tx, caller: Caller, id: number): Promise<void> {
  const found = await tx.query(sql`
    select from lists l where l.id = ${id} and ${visible(caller, 'lists', 'l')} for no key update of l`);
  if (found.length === 0) throw notFound('list');
}

/**
 * Locks a list against new members. Contacts who were joining it have then joined, and those who join later see the changes of this
 * transaction.
 * @returns false for a list that the caller can't see
 */
export async function lockAgainstJoining(tx: Tx, caller: Caller, id: number): Promise<boolean> {
  return (await tx.query(sql`select 1 from lists l where l.id = ${id} and ${visible(caller, 'lists', 'l')} for update of l`)).length > 0;
}

/** Removes a contact from a list. Throws `not_found` for an unknown list and for a contact that is not on it. */
export async function removeMember(app: App, caller: Caller, id: number, contactId: number): Promise<void> {
  await app.db.tx(async (tx) => {
    await lockList(tx, caller, id);
    const removed = await tx.query(sql`
      delete from list_members m using contacts c
      where m.list_id = ${id} and m.contact_id = ${contactId} and c.id = m.contact_id and ${visible(caller, 'contacts', 'c')} returning 1`);
    if (removed.length === 0) throw new OutreachError('not_found', `contact ${contactId} is not on the list`);
    await audit(tx, caller, app.clock.now(), {
      action: 'list.remove_member',
      resourceType: 'list',
      resourceId: id,
      changes: { contact_id: contactId },
    });
  });
}
