import { accountObject } from '../accounts/index.ts';
import { contactObject } from '../contacts/index.ts';
import { sql } from '../db/statement.ts';
import type { Tx } from '../db/transaction.ts';
import { campaignObject } from '../events/index.ts';
import { type MessageType, publish } from '../webhooks/index.ts';
import { replyColumns } from './reply.ts';

type ReplyMessage = Extract<MessageType, `reply.${string}`>;

/**
 * Publishes a reply to webhooks, in the transaction of the change. `data.reply` is the record of `GET /replies`. Webhooks with
 * `include_body` get the author's full text. Index: replies_pkey.
 */
export async function publishReply(tx: Tx, type: ReplyMessage, id: number, at: Date): Promise<void> {
  await publish(
    tx,
    sql`
    select r.workspace_id, ${type}::text as type, null::bigint as event_id, r.campaign_id, r.contact_id, r.account_id,
      json_build_object('reply', (select row_to_json(record) from (select ${replyColumns('r')}) record),
        'campaign', ${campaignObject('c')}, 'contact', ${contactObject('k')}, 'account', ${accountObject('a')}) as data,
      left(r.own_text, 20000) as reply_body, ${at}::timestamptz as at
    from replies r join campaigns c on c.id = r.campaign_id join contacts k on k.id = r.contact_id join accounts a on a.id = r.account_id
    where r.id = ${id}`,
  );
}
