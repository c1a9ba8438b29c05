import type { Caller } from '../access/index.ts';
import type { Page, PageRequest } from '../db/page.ts';
import { join, prepared, type Queryable, type Sql, sql } from '../db/statement.ts';
import { type ContactRow, contactColumns } from './read-contact.ts';

/** A search for contacts `c`, including visibility to the caller. */
export interface ContactCondition {
  condition: Sql;
  /** The same condition, split into the parts that an OR would join. */
  alternatives: Sql[];
}

/**
 * Reads a page of the contacts that meet a condition, by id, with the exact total. Finds all of them once, then counts and sorts them.
 * `materialized` hides the limit from the planner, which would expect to find the first fifty soon and look up the events of each of a
 * million contacts, where joining them all takes a quarter of the time. For an OR over several tables the planner would scan every contact,
 * but it has an index for each side.
 */
export async function findContacts(
  db: Queryable,
  caller: Caller,
  { alternatives }: Pick<ContactCondition, 'alternatives'>,
  page: PageRequest,
): Promise<Page<ContactRow>> {
  const each = alternatives.map((alternative) => sql`select c.id from contacts c where ${alternative}`);
  const [found] = await db.query<{ total: number; ids: number[] }>(sql`
    with found as materialized (${join(each, ' union ')})
    select (select count(*)::int from found) as total,
      array(select id from found order by id limit ${page.limit} offset ${page.offset}) as ids`);
  const { total, ids } = found ?? { total: 0, ids: [] };
  const data = await db.query<ContactRow>(
    prepared('contacts-found', sql`select ${contactColumns(caller)} from contacts c where c.id = any(${ids}::int[]) order by c.id`),
  );
  return { data, pagination: { total, ...page } };
}
