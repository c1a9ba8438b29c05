import { audit, type Caller, isAdmin, requireVisible, visible } from '../access/index.ts';
import type { App } from '../app.ts';
import { type Queryable, type Sql, sql, type Tx } from '../db.ts';
import { notFound } from '../errors.ts';
import { forgetPlans } from '../planner-statistics.ts';
import { listPage, type Page, type PageRequest, timestamp } from '../wire.ts';
import { List } from './entities.ts';

export interface ListRow {
  id: number;
  name: string;
  contact_count: number;
  created_at: string;
  updated_at: string | null;
}

export interface MemberRow {
  contact_id: number;
  name: string;
  email: string;
}

/** Up to so many a bad plan costs nothing that is noticed. */
const FEW = 100;

/** The count is kept as members come and go. Index: list_counts_pkey. */
const listColumns: Sql = sql`l.id, l.name, coalesce((select n.total from list_counts n where n.list_id = l.id), 0) as contact_count,
  ${timestamp('l.created_at')} as created_at, ${timestamp('l.updated_at')} as updated_at`;

/** A page of lists by id. Index: lists_page. */
export function listLists(db: Queryable, caller: Caller, page: PageRequest): Promise<Page<ListRow>> {
  const mine = visible(caller, 'lists', 'l');
  return listPage<ListRow>(
    db,
    sql`select ${listColumns} from lists l where ${mine} order by l.id`,
    sql`select count(*)::int as total from lists l where ${mine}`,
    page,
  );
}

/** One list. Throws `not_found`. */
export async function getList(db: Queryable, caller: Caller, id: number): Promise<ListRow> {
  const [row] = await db.query<ListRow>(sql`select ${listColumns} from lists l where l.id = ${id} and ${visible(caller, 'lists', 'l')}`);
  if (row === undefined) throw notFound('list');
  return row;
}

export async function createList(app: App, caller: Caller, name: string): Promise<ListRow> {
  const now = app.clock.now();
  const id = await app.db.tx(async (tx) => {
    const list = tx.em.create(List, { workspace_id: caller.workspaceId, name, created_by: caller.userId, created_at: now });
    await tx.em.flush();
    await audit(tx, caller, now, { action: 'list.create', resourceType: 'list', resourceId: list.id, changes: { name } });
    return list.id;
  });
  return getList(app.db, caller, id);
}

/** Renames a list. Throws `not_found`. */
export async function renameList(app: App, caller: Caller, id: number, name: string | undefined): Promise<ListRow> {
  const now = app.clock.now();
  await app.db.tx(async (tx) => {
    const list = await lockList(tx, caller, id);
    if (name === undefined || name === list.name) return;
    await audit(tx, caller, now, { action: 'list.update', resourceType: 'list', resourceId: id, changes: { name: [list.name, name] } });
    Object.assign(list, { name, updated_at: now });
    await tx.em.flush();
  });
  return getList(app.db, caller, id);
}

/** Deletes a list softly; the contacts on it stay, and so do its memberships, for a restore. Throws `not_found`. */
export async function deleteList(app: App, caller: Caller, id: number): Promise<void> {
  const now = app.clock.now();
  await app.db.tx(async (tx) => {
    const list = await lockList(tx, caller, id);
    list.deleted_at = now;
    await tx.em.flush();
    await audit(tx, caller, now, { action: 'list.delete', resourceType: 'list', resourceId: id, changes: { name: list.name } });
  });
}

/**
 * A page of the live contacts on a list that the caller may see, by contact id. Throws `not_found`. The total is the
 * kept one less what is hidden from the caller. Indexes: list_members_pkey, list_counts_pkey, contacts_private.
 */
export async function listMembers(db: Queryable, caller: Caller, id: number, page: PageRequest): Promise<Page<MemberRow>> {
  await requireVisible(db, caller, 'lists', id);
  const hidden = isAdmin(caller)
    ? sql`0`
    : sql`(select count(*) from contacts c join list_members m on m.contact_id = c.id and m.list_id = ${id}
        where c.workspace_id = ${caller.workspaceId} and c.deleted_at is null and not c.is_shared_to_all
          and not (${visible(caller, 'contacts', 'c')}))`;
  return listPage<MemberRow>(
    db,
    sql`select c.id as contact_id, c.name, c.email from list_members m join contacts c on c.id = m.contact_id
      where m.list_id = ${id} and ${visible(caller, 'contacts', 'c')} order by m.contact_id`,
    sql`select (coalesce((select total from list_counts where list_id = ${id}), 0) - ${hidden})::int as total`,
    page,
  );
}

/** Puts contacts on a list; those already there, unknown or invisible are skipped. Returns how many were added. Throws `not_found`. */
export async function addMembers(app: App, caller: Caller, id: number, contactIds: readonly number[]): Promise<number> {
  const now = app.clock.now();
  return app.db.tx(async (tx) => {
    await lockList(tx, caller, id);
    if (contactIds.length > FEW) await forgetPlans(tx);
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

/** Takes a contact off a list. Throws `not_found` for an unknown list and for a contact that is not on it. */
export async function removeMember(app: App, caller: Caller, id: number, contactId: number): Promise<void> {
  await app.db.tx(async (tx) => {
    await lockList(tx, caller, id);
    const removed = await tx.query(sql`
      delete from list_members m using contacts c
      where m.list_id = ${id} and m.contact_id = ${contactId} and c.id = m.contact_id and ${visible(caller, 'contacts', 'c')} returning 1`);
    if (removed.length === 0) throw notFound('member');
    await audit(tx, caller, app.clock.now(), {
      action: 'list.remove_member',
      resourceType: 'list',
      resourceId: id,
      changes: { contact_id: contactId },
    });
  });
}

async function lockList(tx: Tx, caller: Caller, id: number): Promise<List> {
  const rows = await tx.query(sql`select 1 from lists l where l.id = ${id} and ${visible(caller, 'lists', 'l')} for no key update`);
  const list = rows.length === 0 ? null : await tx.em.findOne(List, { id }, { refresh: true });
  if (list === null) throw notFound('list');
  return list;
}
