import { type Caller, isHidden, notHidden, requireVisible, visible } from '../access/index.ts';
import type { EventType } from '../core/event-types.ts';
import type { Page, PageRequest } from '../db/page.ts';
import { empty, join, prepared, type Queryable, raw, type Sql, type Statement, sql } from '../db/statement.ts';
import { timestamp } from '../db/timestamp.ts';
import { eventTotal } from './totals.ts';

/** One record of `GET /events`. */
export interface EventRow {
  id: number;
  campaign_id: number;
  contact_id: number;
  type: EventType;
  step_order: number;
  /** URL that was clicked; null for every other type. */
  url: string | null;
  timestamp: string;
}

export interface EventFilter {
  campaignId?: number | undefined;
  contactId?: number | undefined;
  type?: EventType | undefined;
  /** Only events at or after this instant. */
  since?: Date | undefined;
  /** Only events with a higher id. */
  afterId?: number | undefined;
}

/**
 * Columns of an `EventRow`, for a statement that selects from `events` under this alias. `step_order` is the current position of the step,
 * or the last position of a deleted one.
 */
export const eventColumns = (alias: string): Sql => {
  const e = raw(alias);
  return sql`${e}.id, ${e}.campaign_id, ${e}.contact_id, ${e}.type,
    coalesce((select s.step_order from steps s where s.id = ${e}.step_id), ${e}.step_order) as step_order, ${e}.url, ${timestamp(`${alias}.at`)} as timestamp`;
};

/** Lists the events of all campaigns that the caller can see, newest first. Events of hidden contacts are left out. */
export async function listEvents(db: Queryable, caller: Caller, filter: EventFilter, page: PageRequest): Promise<Page<EventRow>> {
  const [data, [count]] = await Promise.all([
    db.query<EventRow>(prepared('event-page', pageOfEvents(caller, filter, page))),
    db.query<{ total: number }>(totalOf(caller, filter)),
  ]);
  return { data, pagination: { total: count?.total ?? 0, ...page } };
}

/** Lists the events of one campaign, newest first, without `campaign_id`. Throws `not_found`. */
export async function listCampaignEvents(
  db: Queryable,
  caller: Caller,
  campaignId: number,
  type: EventType | undefined,
  page: PageRequest,
): Promise<Page<Omit<EventRow, 'campaign_id'>>> {
  await requireVisible(db, caller, 'campaigns', campaignId);
  const { data, pagination } = await listEvents(db, caller, { campaignId, type }, page);
  return { data: data.map(({ campaign_id: _, ...row }) => row), pagination };
}

/**
 * Selects the page by an index-only scan, since the indexes contain the ids that visibility needs, and then fetches its rows. Indexes:
 * events_feed, events_feed_type, events_campaign, events_campaign_type, events_contact.
 */
const pageOfEvents = (caller: Caller, filter: EventFilter, { limit, offset }: PageRequest): Sql => sql`
  select ${eventColumns('e')} from (
    select e.id from events e where ${conditionsOf(caller, filter, offset + limit)} order by e.at desc, e.id desc limit ${limit} offset ${offset}
  ) chosen join events e on e.id = chosen.id order by e.at desc, e.id desc`;

/** Conditions on the events `e`. @param rows rough number of rows that are examined */
export function conditionsOf(caller: Caller, { campaignId, contactId, type, since, afterId }: EventFilter, rows: number): Sql {
  return join(
    [
      sql`e.workspace_id = ${caller.workspaceId} and e.in_feed`,
      campaignId === undefined ? empty : sql`e.campaign_id = ${campaignId}`,
      contactId === undefined ? empty : sql`e.contact_id = ${contactId}`,
      type === undefined ? empty : sql`e.type = ${type}`,
      since === undefined ? empty : sql`e.at >= ${since}`,
      afterId === undefined ? empty : sql`e.id > ${afterId}`,
      notHidden(caller, 'campaigns', sql`e.campaign_id`, rows),
      notHidden(caller, 'contacts', sql`e.contact_id`, rows),
    ].filter((condition) => condition !== empty),
    ' and ',
  );
}

/**
 * Selects the `total` of a filter. Events of a contact or since an instant are counted in their index. Any other total is the sum of the
 * campaigns' totals, less the events of contacts that are hidden from the caller, which are counted.
 */
function totalOf(caller: Caller, filter: EventFilter): Statement {
  const { campaignId, type } = filter;
  if (filter.contactId !== undefined || filter.since !== undefined) {
    const rows = filter.contactId === undefined ? Number.POSITIVE_INFINITY : 0;
    return sql`select count(*)::int as total from events e where ${conditionsOf(caller, filter, rows)}`;
  }
  const isIn = campaignId === undefined ? empty : sql` and c.id = ${campaignId}`;
  const campaigns = sql`select c.id from campaigns c where ${visible(caller, 'campaigns', 'c')}${isIn}`;
  return sql`select (${eventTotal(campaigns, type)}) - (${hiddenEvents(caller, campaigns, filter)}) as total`;
}

/**
 * Counts events of contacts that are hidden from the caller: deleted ones, and private ones of others. Reads contact by contact (`offset
 * 0`), so that the time depends on their number: 6 µs each. A join would read the whole log for a handful of them. Indexes:
 * contacts_hidden, events_contact.
 */
const hiddenEvents = (caller: Caller, campaigns: Sql, { type }: EventFilter): Sql => sql`
  select coalesce(sum(n.events), 0)::int from contacts k cross join lateral (
    select count(*) as events from events e
    where e.contact_id = k.id and e.in_feed and ${type === undefined ? sql`true` : sql`e.type = ${type}`} and e.campaign_id in (${campaigns}) offset 0
  ) n
  where ${isHidden(caller, 'contacts', 'k')}`;

/** The beginning of the reply of event `alias`; null for every other type. */
export const replySnippet = (alias: string): Sql =>
  sql`case when ${raw(alias)}.type = 'replied' then ${raw(alias)}.details->>'snippet' end`;
