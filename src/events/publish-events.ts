import { accountObject } from '../accounts/index.ts';
import { contactObject } from '../contacts/index.ts';
import { raw, type Sql, sql } from '../db/statement.ts';
import type { Tx } from '../db/transaction.ts';
import { hasSubscriber, type Past, publish } from '../webhooks/index.ts';
import { campaignObject } from './campaign-object.ts';
import { eventColumns } from './feed.ts';

const MAX_SNIPPET = 500;

/** Type of the message about an event, such as `event.sent`, from the column that holds the event's type. */
const messageType = (column: string): Sql => sql`('event.' || ${raw(column)})`;

/**
 * Selects the webhook messages of the logged events that a condition on `e` matches. `data.event` is the record of
 * `GET /events`. Index: events_pkey.
 */
const eventMessages = (condition: Sql): Sql => sql`
  select e.workspace_id, ${messageType('e.type')} as type, e.id as event_id, e.campaign_id, e.contact_id, null::int as account_id,
    json_build_object(
      'event', (select row_to_json(record) from (select ${eventColumns('e')}) record),
      'campaign', ${campaignObject('c')}, 'contact', ${contactObject('k')}, 'account', ${accountObject('a')},
      'is_first', e.is_first_of_contact,
      'reply_snippet', left(e.details ->> 'snippet', ${raw(String(MAX_SNIPPET))})) as data,
    e.details ->> 'body' as reply_body, e.at
  from events e join enrolments n on n.id = e.enrolment_id join campaigns c on c.id = e.campaign_id
  join contacts k on k.id = e.contact_id join accounts a on a.id = coalesce(n.account_id, c.account_id)
  where ${condition}`;

/** Selects the ids of those events of a CTE `logged` that a webhook subscribes to; without a webhook there are none to publish. */
export const subscribed = sql`select l.id from logged l where l.in_feed and ${hasSubscriber(raw('l.workspace_id'), messageType('l.type'))}`;

/** Publishes events that were just logged. */
export async function publishEvents(tx: Tx, ids: readonly number[]): Promise<void> {
  if (ids.length > 0) await publish(tx, eventMessages(sql`e.id = any(${ids}::bigint[])`));
}

/**
 * Selects the messages of past events that are not in the table expression `published`, for a replay. The CTE is materialized so that they
 * are looked up once. Index: events_feed.
 */
export const pastEventMessages = ({ workspaceId, since, until, types }: Past, published: string): Sql => sql`
  with missed as materialized (
    select e.id from events e
    where e.workspace_id = ${workspaceId} and e.at >= ${since} and e.at < ${until}
      and ${messageType('e.type')} = any(${types}::text[])
      and not exists (select from ${raw(published)} p where p.event_id = e.id)
  ) ${eventMessages(sql`e.id in (select m.id from missed m)`)}`;
