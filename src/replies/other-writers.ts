import type { Caller } from '../access/index.ts';
import type { Writer } from '../core/writer-words.ts';
import { type Queryable, sql } from '../db/statement.ts';
import { isSeen } from './visible-replies.ts';

/** A group of replies from addresses other than those that were emailed, with the writer to whom we attribute them. */
export interface OtherWriter {
  writer: Writer;
  /** The reason for the attribution, in words for users. */
  because: string;
  answers: number;
  /** The latest of these replies. */
  reply_id: number;
  sender: string;
}

/** Maximum number of groups listed. */
const MAX_GROUPS = 5;

/** Lists who else replied to a campaign, most replies first. Indexes: replies_campaign, inbound_messages_pkey, outbox_pkey. */
export function otherWriters(db: Queryable, caller: Caller, campaignId: number): Promise<OtherWriter[]> {
  return db.query<OtherWriter>(sql`
    select im.writer, im.because, count(*)::int as answers, max(r.id) as reply_id, (array_agg(r.sender order by r.id desc))[1] as sender
    from replies r join inbound_messages im on im.id = r.inbound_id join outbox o on o.id = r.outbox_id
    where r.campaign_id = ${campaignId} and ${isSeen(caller)} and r.sender <> '' and im.because is not null
      and address_key(r.sender) <> address_key(o.recipient)
    group by im.writer, im.because order by count(*) desc, max(r.id) desc limit ${MAX_GROUPS}`);
}
