import { sql } from '../../db/statement.ts';
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
