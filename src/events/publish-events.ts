import { accountObject } from '../accounts/index.ts';
import { contactObject } from '../contacts/index.ts';
import { raw, type Sql, sql } from '../db/statement.ts';
import type { Tx } from '../db/transaction.ts';
import { type MessageType, type Past, publish } from '../webhooks/index.ts';
import { campaignObject } from './campaign-object.ts';
import type { EventType } from './event.ts';
import { eventColumns } from './feed.ts';

const MAX_SNIPPET = 500;

/** Before the type of an event in the type of its message; every event has one. */
const PREFIX: `event.${EventType}` extends MessageType ? "'event.'" : never = "'event.'";

/** The type of the message for an event, whose type is that column: `event.sent`. */
export const messageType = (column: string): Sql => sql`(${raw(PREFIX)} || ${raw(column)})`;

/**
 * Selects the webhook messages of logged events, of those that a condition on `e` chooses. `data.event` is the record of
 * `GET /events`. `is_first` says that it is the first of its type for this enrolment; counted, because for `exists`
 * PostgreSQL may look through all events in the order of their ids. Indexes: events_pkey, events_enrolment.
 */
const eventMessages = (condition: Sql): Sql => sql`
  select e.workspace_id, ${messageType('e.type')} as type, e.id as event_id, e.campaign_id, e.contact_id, null::int as account_id,
    json_build_object(
      'event', (select row_to_json(record) from (select ${eventColumns('e')}) record),
      'campaign', ${campaignObject('c')}, 'contact', ${contactObject('k')}, 'account', ${accountObject('a')},
      'is_first', (select count(*) = 0 from events p where p.enrolment_id = e.enrolment_id and p.type = e.type and p.id < e.id),
      'reply_snippet', left(e.details ->> 'snippet', ${raw(String(MAX_SNIPPET))})) as data,
    e.details ->> 'body' as reply_body, e.at
  from events e join enrolments n on n.id = e.enrolment_id join campaigns c on c.id = e.campaign_id
  join contacts k on k.id = e.contact_id join accounts a on a.id = coalesce(n.account_id, c.account_id)
  where ${condition}`;

/** Publishes events just logged to webhooks. */
export async function publishEvents(tx: Tx, ids: readonly number[]): Promise<void> {
  if (ids.length > 0) await publish(tx, eventMessages(sql`e.id = any(${ids}::bigint[])`));
}

/** Selects the messages of past events that are not in `told`, for a replay. Chosen first, once. Index: events_feed. */
export const pastEventMessages = ({ workspaceId, since, until, types }: Past, told: string): Sql => sql`
  with missed as materialized (
    select e.id from events e
    where e.workspace_id = ${workspaceId} and e.at >= ${since} and e.at < ${until}
      and ${messageType('e.type')} = any(${types}::text[])
      and not exists (select from ${raw(told)} t where t.event_id = e.id)
  ) ${eventMessages(sql`e.id in (select m.id from missed m)`)}`;
