import type { Caller } from '../access/index.ts';
import { contactNames } from '../contacts/index.ts';
import { mostCounted, type Page, type PageRequest } from '../db/page.ts';
import { lastStableId } from '../db/stable-id.ts';
import { prepared, type Queryable, sql } from '../db/statement.ts';
import { conditionsOf, type EventFilter, type EventRow, eventColumns } from './feed.ts';

/** Up to this number the total is exact. For a reader at the beginning it could be millions. */
const EXACT_TOTAL = 10_000;

/**
 * Lists the events with a higher id than `filter.afterId` by id, for readers that continue where they ended. An event appears only when no
 * event with a lower id can still be committed, so late commits are not missed. The total is counted as far as `mostCounted` says. Index:
 * events_order.
 */
export async function listEventsAfter(db: Queryable, caller: Caller, filter: EventFilter, page: PageRequest): Promise<Page<EventRow>> {
  const stable = await lastStableId(db, 'events');
  const upTo = (rows: number) => sql`${conditionsOf(caller, filter, rows)} and e.id <= ${stable}`;
  const rows = sql`
    select ${eventColumns('e')} from (
      select e.id from events e where ${upTo(page.offset + page.limit)} order by e.id limit ${page.limit} offset ${page.offset}
    ) chosen join events e on e.id = chosen.id order by e.id`;
  const most = mostCounted(page, EXACT_TOTAL);
  const total = sql`select count(*) as total from (select from events e where ${upTo(most)} order by e.id limit ${most}) counted`;
  const [data, [count]] = await Promise.all([
    db.query<EventRow>(prepared('events-after', rows)),
    db.query<{ total: number }>(prepared('events-after-total', total)),
  ]);
  return { data, pagination: { total: count?.total ?? 0, ...page } };
}

/** An event with the contact that it is about. */
export type EventWithContact = EventRow & { contact?: { id: number; email: string; name: string } | undefined };

/** Adds the contact to each event, with its current data. */
export async function withContacts(db: Queryable, { data, pagination }: Page<EventRow>): Promise<Page<EventWithContact>> {
  const names = await contactNames(
    db,
    data.map((event) => event.contact_id),
  );
  return { data: data.map((event) => ({ ...event, contact: names.get(event.contact_id) })), pagination };
}
