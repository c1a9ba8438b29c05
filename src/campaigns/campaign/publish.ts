import { contactObject } from '../../contacts/index.ts';
import { sql } from '../../db/statement.ts';
import { timestamp } from '../../db/timestamp.ts';
import type { Tx } from '../../db/transaction.ts';
import { campaignObject } from '../../events/index.ts';
import { type MessageType, publish } from '../../webhooks/index.ts';

/** Publishes a change of state of campaigns to webhooks, in the transaction of that change. */
export async function publishCampaignChange(
  tx: Tx,
  type: MessageType & `campaign.${string}`,
  ids: readonly number[],
  at: Date,
): Promise<void> {
  if (ids.length === 0) return;
  await publish(
    tx,
    sql`
    select c.workspace_id, ${type}::text as type, null::bigint as event_id, c.id as campaign_id, null::int as contact_id,
      null::int as account_id, json_build_object('campaign', ${campaignObject('c')}) as data, null::text as reply_body,
      ${at}::timestamptz as at
    from campaigns c where c.id = any(${ids}::int[]) order by c.id`,
  );
}

/** Publishes to webhooks that calls are due or closed, in the transaction of that change. */
export async function publishCallChange(tx: Tx, type: 'task.due' | 'task.done', ids: readonly number[], at: Date): Promise<void> {
  if (ids.length === 0) return;
  await publish(
    tx,
    sql`
    select t.workspace_id, ${type}::text as type, null::bigint as event_id, t.campaign_id, k.id as contact_id, null::int as account_id,
      json_build_object('task', json_build_object('id', t.id, 'campaign_id', t.campaign_id, 'contact_id', k.id,
        'step_order', s.step_order, 'status', t.status, 'note', t.note, 'due_at', ${timestamp('t.due_at')}),
        'campaign', ${campaignObject('c')}, 'contact', ${contactObject('k')}) as data, null::text as reply_body,
      ${at}::timestamptz as at
    from call_tasks t join campaigns c on c.id = t.campaign_id join steps s on s.id = t.step_id
    join enrolments e on e.id = t.enrolment_id join contacts k on k.id = e.contact_id
    where t.id = any(${ids}::int[]) order by t.id`,
  );
}
