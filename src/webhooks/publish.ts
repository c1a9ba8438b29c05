import { isVisible } from '../access/index.ts';
import { prepared, raw, type Sql, sql } from '../db/statement.ts';
import type { Tx } from '../db/transaction.ts';
import { HIGH_VOLUME_TYPES } from './types.ts';

/**
 * Writes a delivery for each message and each webhook that subscribes to it, in the transaction of the cause, so that a crash can't lose
 * one without the other. Runs one statement for any number of webhooks and messages, and writes nothing if no webhook subscribes. The
 * messages are materialized first: joining them with the webhooks made PostgreSQL search all events of the workspace.
 * @param messages selects one row per message: `workspace_id`, `type`, `event_id`, `campaign_id`, `contact_id`, `account_id` (null if there
 * is none), `data` (JSON, that of the message), `reply_body`, `at`
 */
export async function publish(tx: Tx, messages: Sql): Promise<void> {
  await tx.query(
    prepared(
      'publish',
      sql`
    with messages as materialized (${messages})
    insert into webhook_deliveries (webhook_id, type, event_id, data, reply_body, created_at, next_attempt_at)
    select w.id, m.type, m.event_id, m.data, case when w.include_body then m.reply_body end, m.at, m.at
    from messages m join webhooks w on ${subscribes(raw('m.workspace_id'), raw('m.type'))} and ${mayReceive}
    order by m.event_id, w.id`,
    ),
  );
}

/** Condition: webhook `w` is in this workspace, enabled and subscribed to this type. Index: webhooks_live. */
function subscribes(workspaceId: Sql, type: Sql): Sql {
  const quiet = raw(HIGH_VOLUME_TYPES.map((name) => `'${name}'`).join(', '));
  return sql`w.workspace_id = ${workspaceId} and w.deleted_at is null and w.is_enabled
    and case when w.types = '{}' then ${type} not in (${quiet}) else ${type} = any(w.types) end`;
}

/** Condition: a webhook of the workspace subscribes to the type. Both are columns or expressions of the statement. */
export const hasSubscriber = (workspaceId: Sql, type: Sql): Sql =>
  sql`exists (select from webhooks w where ${subscribes(workspaceId, type)})`;

const sees = (table: 'campaigns' | 'contacts' | 'accounts', id: string): Sql =>
  sql`(${raw(id)} is null or ${isVisible({ userIn: 'w.created_by' }, table, id)})`;

/**
 * Condition: webhook `w` subscribes to the campaign of message `m`, and to its label if it is about a reply, and its creator may see
 * everything that the message names. Chats get no notice if the first check finds an account's health good.
 */
export const mayReceive: Sql = sql`(m.campaign_id is null or w.campaign_ids = '{}' or m.campaign_id = any(w.campaign_ids))
  and (w.labels = '{}' or m.type not like 'reply.%' or m.data->'reply'->>'label' = any(w.labels))
  and (w.format = 'json' or m.type <> 'account.health_changed' or m.data->'account'->>'health' <> 'good'
    or m.data->'account'->>'previous_health' is not null)
  and ${sees('campaigns', 'm.campaign_id')} and ${sees('contacts', 'm.contact_id')} and ${sees('accounts', 'm.account_id')}`;
