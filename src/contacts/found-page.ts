import { type Caller, visible } from '../access/index.ts';
import type { Page, PageRequest } from '../db/page.ts';
import { join, prepared, type Queryable, type Sql, sql } from '../db/statement.ts';
import { type ContactRow, contactColumns } from './read-contact.ts';

/** Which contacts `c` are wanted, of those that the caller may see. */
export interface ContactCondition {
  condition: Sql;
  /** The same in parts, one of which holds for each of the contacts. */
  alternatives: Sql[];
  /** False when archived contacts are left out. */
  mayBeArchived: boolean;
}

/** How many contacts were found, and the ids of one page of them in their order. */
interface FoundPage {
  total: number;
  ids: number[];
}

/** Up to so many are found once and then both counted and sorted. */
const FEW = 10_000;
/** So many contacts, the oldest, are looked at in their order before all that match are sorted. */
const WALKED = 20_000;

/** Answers a page of the contacts that meet a condition, by id, with the exact total. */
export async function findContacts(db: Queryable, caller: Caller, wanted: ContactCondition, page: PageRequest): Promise<Page<ContactRow>> {
  const { total, ids } = await findPage(db, caller, wanted, page);
  const data = await db.query<ContactRow>(
    prepared('contacts-found', sql`select ${contactColumns(caller)} from contacts c where c.id = any(${ids}::int[]) order by c.id`),
  );
  return { data, pagination: { total, ...page } };
}

/**
 * Finds a page and the exact total. Left to itself, PostgreSQL may look for the first fifty by walking through contacts
 * in the order of their ids, and walks through nearly all of them when those that match are the newest (280 ms of a
 * million for `created:>7d`, which an index finds in 1 ms). So few are found once, sorted and counted; of many, the page
 * is taken from a short walk where that fills it, and else sorted out of all.
 */
async function findPage(db: Queryable, caller: Caller, wanted: ContactCondition, page: PageRequest): Promise<FoundPage> {
  const few = await findFew(db, wanted, page);
  if (few !== undefined) return few;
  const [[count], walked] = await Promise.all([
    db.query<{ total: number }>(sql`select count(*)::int as total from contacts c where ${wanted.condition}`),
    walk(db, caller, wanted, page),
  ]);
  return { total: count?.total ?? 0, ids: walked ?? (await sortOut(db, wanted.condition, page)) };
}

/**
 * PostgreSQL has no index for an OR over several tables and would look at every contact, but one for each side of it
 * (670 ms and 30 ms of a million for `name:ada OR replied:>7d`). A side that was cut short shows in the total.
 */
async function findFew(db: Queryable, { alternatives }: ContactCondition, { limit, offset }: PageRequest): Promise<FoundPage | undefined> {
  const each = alternatives.map((alternative) => sql`(select c.id from contacts c where ${alternative} limit ${FEW + 1})`);
  const [found] = await db.query<FoundPage>(sql`
    with found as materialized (${join(each, ' union ')})
    select (select count(*)::int from found) as total, array(select id from found order by id limit ${limit} offset ${offset}) as ids`);
  return found !== undefined && found.total <= FEW ? found : undefined;
}

/** The page, or undefined when the walk ends before it is full. Index: contacts_page. */
async function walk(
  db: Queryable,
  caller: Caller,
  wanted: ContactCondition,
  { limit, offset }: PageRequest,
): Promise<number[] | undefined> {
  if (wanted.mayBeArchived || offset + limit > WALKED) return undefined;
  const rows = await db.query<{ id: number }>(sql`
    select c.id from (
      select * from contacts c where ${visible(caller, 'contacts', 'c')} and not c.is_archived order by c.id limit ${WALKED}
    ) c where ${wanted.condition} order by c.id limit ${limit} offset ${offset}`);
  return rows.length === limit ? rows.map(({ id }) => id) : undefined;
}

/** The sum keeps the planner from walking. */
async function sortOut(db: Queryable, condition: Sql, { limit, offset }: PageRequest): Promise<number[]> {
  const rows = await db.query<{ id: number }>(sql`
    select c.id from contacts c where ${condition} order by c.id + 0 limit ${limit} offset ${offset}`);
  return rows.map(({ id }) => id);
}
