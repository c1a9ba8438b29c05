import { type Caller, visible } from '../access/index.ts';
import type { Page, PageRequest } from '../db/page.ts';
import { join, prepared, type Queryable, type Sql, sql } from '../db/statement.ts';
import { pageOfBlocks } from './blocks.ts';
import { type ContactRow, contactColumns } from './read-contact.ts';

/** A search for contacts `c`, visibility to the caller included. */
export interface ContactCondition {
  condition: Sql;
  /** The same condition split into parts that an OR would join. */
  alternatives: Sql[];
  /** False if archived contacts are excluded. */
  mayBeArchived: boolean;
  /** Selects `block` and `contacts` of the same contacts as a set, if sets that are kept can answer the search. */
  blocks?: Sql | undefined;
}

/** Number of contacts found, and the ids of one page in order. */
interface FoundPage {
  total: number;
  ids: number[];
}

/** Up to this number of matches one query both counts and sorts them. */
const FEW = 10_000;
/** Number of oldest contacts that are scanned in id order before all matches are sorted. */
const SCANNED = 20_000;

/** Reads a page of the contacts that meet a condition, by id, with the exact total. */
export async function findContacts(db: Queryable, caller: Caller, wanted: ContactCondition, page: PageRequest): Promise<Page<ContactRow>> {
  const { total, ids } = await (wanted.blocks === undefined ? findPage(db, caller, wanted, page) : findInBlocks(db, wanted.blocks, page));
  const data = await db.query<ContactRow>(
    prepared('contacts-found', sql`select ${contactColumns(caller)} from contacts c where c.id = any(${ids}::int[]) order by c.id`),
  );
  return { data, pagination: { total, ...page } };
}

/** Finds a page and the total in a set of contacts. */
async function findInBlocks(db: Queryable, blocks: Sql, page: PageRequest): Promise<FoundPage> {
  const [found] = await db.query<FoundPage>(pageOfBlocks(blocks, page));
  return found ?? { total: 0, ids: [] };
}

/**
 * Finds a page and the exact total. PostgreSQL tends to find the first fifty by scanning contacts in id order, which reads
 * nearly all of them if the newest match (280 ms of a million for `created:>7d`, which takes 1 ms with an index). So few
 * matches are found once, sorted and counted; of many, the page comes from a short scan in id order if that fills it, and
 * otherwise from a sort of all matches.
 */
async function findPage(db: Queryable, caller: Caller, wanted: ContactCondition, page: PageRequest): Promise<FoundPage> {
  const few = await findFew(db, wanted, page);
  if (few !== undefined) return few;
  const [[count], scanned] = await Promise.all([
    db.query<{ total: number }>(sql`select count(*)::int as total from contacts c where ${wanted.condition}`),
    scan(db, caller, wanted, page),
  ]);
  return { total: count?.total ?? 0, ids: scanned ?? (await sortAll(db, wanted.condition, page)) };
}

/**
 * Finds up to 10,000 matches; undefined if there are more. For an OR over several tables PostgreSQL would scan every
 * contact, but for each side it has an index (670 ms and 30 ms of a million for `name:ada OR replied:>7d`). A side that
 * reached its limit shows in the total.
 */
async function findFew(db: Queryable, { alternatives }: ContactCondition, { limit, offset }: PageRequest): Promise<FoundPage | undefined> {
  const each = alternatives.map((alternative) => sql`(select c.id from contacts c where ${alternative} limit ${FEW + 1})`);
  const [found] = await db.query<FoundPage>(sql`
    with found as materialized (${join(each, ' union ')})
    select (select count(*)::int from found) as total, array(select id from found order by id limit ${limit} offset ${offset}) as ids`);
  return found !== undefined && found.total <= FEW ? found : undefined;
}

/** Returns the page, or undefined if the scan ends before it is full. Index: contacts_page. */
async function scan(
  db: Queryable,
  caller: Caller,
  wanted: ContactCondition,
  { limit, offset }: PageRequest,
): Promise<number[] | undefined> {
  if (wanted.mayBeArchived || offset + limit > SCANNED) return undefined;
  const rows = await db.query<{ id: number }>(sql`
    select c.id from (
      select * from contacts c where ${visible(caller, 'contacts', 'c')} and not c.is_archived order by c.id limit ${SCANNED}
    ) c where ${wanted.condition} order by c.id limit ${limit} offset ${offset}`);
  return rows.length === limit ? rows.map(({ id }) => id) : undefined;
}

/** Sorts all matches; `+ 0` keeps the planner from scanning in id order. */
async function sortAll(db: Queryable, condition: Sql, { limit, offset }: PageRequest): Promise<number[]> {
  const rows = await db.query<{ id: number }>(sql`
    select c.id from contacts c where ${condition} order by c.id + 0 limit ${limit} offset ${offset}`);
  return rows.map(({ id }) => id);
}
