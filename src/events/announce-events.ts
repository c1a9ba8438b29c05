import { raw, type Sql, sql, type Tx } from '../db/database.ts';
import { announce } from './announce.ts';
import { accountObject, campaignObject, contactObject } from './announced-objects.ts';
import { eventColumns } from './feed.ts';

const MAX_SNIPPET = 500;

/**
 * Logged events as news for webhooks, for those of them that a condition on `e` chooses. `data.event` is the record of
 * `GET /events`. `is_first` says that it is the first of its type for this enrolment; counted, because for `exists`
 * PostgreSQL may look through all events in the order of their ids. Indexes: events_pkey, events_enrolment.
 */
export const eventNews = (condition: Sql): Sql => sql`
  select e.workspace_id, 'event.' || e.type as type, e.id as event_id, e.campaign_id, e.contact_id, null::int as account_id,
    json_build_object(
      'event', (select row_to_json(record) from (select ${eventColumns('e')}) record),
      'campaign', ${campaignObject('c')}, 'contact', ${contactObject('k')}, 'account', ${accountObject('a')},
      'is_first', (select count(*) = 0 from events p where p.enrolment_id = e.enrolment_id and p.type = e.type and p.id < e.id),
      'reply_snippet', left(e.details ->> 'snippet', ${raw(String(MAX_SNIPPET))})) as data,
    e.details ->> 'body' as reply_body, e.at
  from events e join enrolments n on n.id = e.enrolment_id join campaigns c on c.id = e.campaign_id
  join contacts k on k.id = e.contact_id join accounts a on a.id = coalesce(n.account_id, c.account_id)
  where ${condition}`;

/** Tells webhooks of events just logged. */
export async function announceEvents(tx: Tx, ids: readonly number[]): Promise<void> {
  if (ids.length > 0) await announce(tx, eventNews(sql`e.id = any(${ids}::bigint[])`));
}
