import { contactObject } from '../../contacts/index.ts';
import { sql } from '../../db/statement.ts';
import { timestamp } from '../../db/timestamp.ts';
import type { Tx } from '../../db/transaction.ts';
import { campaignObject } from '../../events/index.ts';
import { publish } from '../../webhooks/index.ts';

/** Publishes to webhooks that calls became due or were closed, in the transaction of that change. */
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
