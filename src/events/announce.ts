import { visibleTo } from '../access/index.ts';
import { prepared, raw, type Sql, sql, type Tx } from '../db/database.ts';
import { HIGH_VOLUME_TYPES } from './announcement-types.ts';

/**
 * Writes what happened into the outbox of the webhooks, in the transaction of the change itself: a crash loses neither
 * without the other. One statement whatever the number of webhooks and news; without a webhook it writes nothing. The news
 * are put together first, once: joined with the webhooks they were looked for among all events of the workspace.
 * @param news selects one row for everything that happened: `workspace_id`, `type`, `event_id`, `campaign_id`,
 *   `contact_id`, `account_id` (null where there is none), `data` (json, the envelope's), `reply_body`, `at`
 */
export async function announce(tx: Tx, news: Sql): Promise<void> {
  await tx.query(
    prepared(
      'announce',
      sql`
    with news as materialized (${news})
    insert into webhook_deliveries (webhook_id, type, event_id, data, reply_body, created_at, next_attempt_at)
    select w.id, n.type, n.event_id, n.data, case when w.include_body then n.reply_body end, n.at, n.at
    from news n join webhooks w on ${listens('n.workspace_id', 'n.type')} and ${mayHear}
    order by n.event_id, w.id`,
    ),
  );
}

/** The webhook `w` is of that workspace, is on, and wants to be told of that type. Index: webhooks_live. */
export function listens(workspaceId: string, type: string): Sql {
  const quiet = raw(HIGH_VOLUME_TYPES.map((name) => `'${name}'`).join(', '));
  return sql`w.workspace_id = ${raw(workspaceId)} and w.deleted_at is null and w.is_enabled
    and case when w.types = '{}' then ${raw(type)} not in (${quiet}) else ${raw(type)} = any(w.types) end`;
}

const sees = (table: 'campaigns' | 'contacts' | 'accounts', id: string): Sql =>
  sql`(${raw(id)} is null or exists (select from ${raw(table)} v where v.id = ${raw(id)} and ${visibleTo('w.created_by', table, 'v')}))`;

/** The webhook `w` asks for the campaign of the news `n`, and its creator may see everything that the news speak of. */
export const mayHear: Sql = sql`(n.campaign_id is null or w.campaign_ids = '{}' or n.campaign_id = any(w.campaign_ids))
  and ${sees('campaigns', 'n.campaign_id')} and ${sees('contacts', 'n.contact_id')} and ${sees('accounts', 'n.account_id')}`;
