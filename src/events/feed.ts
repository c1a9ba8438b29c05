import { type Caller, notHidden, requireVisible } from '../access/index.ts';
import { DAY } from '../core/clock.ts';
import type { Page, PageRequest } from '../db/page.ts';
import { empty, join, prepared, type Queryable, raw, type Sql, type Statement, sql } from '../db/statement.ts';
import { timestamp } from '../db/timestamp.ts';
import type { EventType } from './event.ts';
import { countedRows } from './totals.ts';

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

/** Columns of an `EventRow`, for a statement that selects from `events` under this alias. */
export const eventColumns = (alias: string): Sql => {
  const e = raw(alias);
  return sql`${e}.id, ${e}.campaign_id, ${e}.contact_id, ${e}.type, ${e}.step_order, ${e}.url, ${timestamp(`${alias}.at`)} as timestamp`;
};

/** Lists the events of all campaigns that the caller can see, newest first. Events of hidden contacts are left out. */
export async function listEvents(db: Queryable, caller: Caller, filter: EventFilter, page: PageRequest): Promise<Page<EventRow>> {
  const [data, [count]] = await Promise.all([
    db.query<EventRow>(prepared('event-page', pageOfEvents(conditionsOf(caller, filter, page.offset + page.limit), page))),
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
 * Chooses the page by an index-only scan, since the indexes hold the ids that visibility needs, and fetches its rows
 * afterwards. Of a million events the first page takes 1 ms, and 0.3 s after skipping 900,000 (3 ms and 1.3 s with joins).
 * Indexes: events_feed, events_feed_type, events_campaign, events_campaign_type, events_contact.
 */
function pageOfEvents(conditions: Sql, page: PageRequest): Sql {
  return sql`
    select ${eventColumns('e')} from (
      select e.id from events e where ${conditions} order by e.at desc, e.id desc limit ${page.limit} offset ${page.offset}
    ) chosen join events e on e.id = chosen.id order by e.at desc, e.id desc`;
}

/** Conditions on the events `e`. @param rows rough number of rows that are examined */
export function conditionsOf(caller: Caller, { campaignId, contactId, type, since, afterId }: EventFilter, rows: number): Sql {
  return join(
    [
      sql`e.workspace_id = ${caller.workspaceId}`,
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

/** Events filtered by contact are counted in their index; all others have counters. */
function totalOf(caller: Caller, filter: EventFilter): Statement {
  if (filter.contactId !== undefined) return sql`select count(*) as total from events e where ${conditionsOf(caller, filter, 0)}`;
  if (filter.since !== undefined) return totalSince(caller, filter, filter.since);
  const kind = filter.type === undefined ? sql`n.what <> 'enrolment'` : sql`n.what = ${filter.type}`;
  const shared = filter.type === undefined ? sql`true` : sql`r.type = ${filter.type}`;
  return prepared('event-total', countedRows(caller, 'events', { counters: kind, rows: shared }, filter.campaignId));
}

/** Adds up the counters of the days (UTC) after that of `since`, and counts the events of that day in their index. */
function totalSince(caller: Caller, filter: EventFilter, since: Date): Sql {
  const nextDay = new Date(Math.floor(since.getTime() / DAY + 1) * DAY);
  const rest = sql`select count(*) from events e where ${conditionsOf(caller, filter, Number.POSITIVE_INFINITY)} and e.at < ${nextDay}`;
  const ofType = (column: Sql) => (filter.type === undefined ? empty : sql`and ${column} = ${filter.type}`);
  const wholeDays = {
    counters: sql`n.day >= (${nextDay}::timestamptz at time zone 'UTC')::date ${ofType(sql`n.what`)}`,
    rows: sql`r.at >= ${nextDay} ${ofType(sql`r.type`)}`,
  };
  return sql`select (${countedRows(caller, 'events', wholeDays, filter.campaignId, 'event_day_counts')}) + (${rest}) as total`;
}

/** The beginning of the reply that event `alias` is about; null for every other type. */
export const replySnippet = (alias: string): Sql =>
  sql`case when ${raw(alias)}.type = 'replied' then ${raw(alias)}.details->>'snippet' end`;
