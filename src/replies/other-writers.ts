import type { Caller } from '../access/index.ts';
import type { Writer } from '../core/writer-words.ts';
import { type Queryable, sql } from '../db/statement.ts';
import { isSeen } from './visible-replies.ts';

/** Answers that came from other addresses than those that were emailed, and whose they are taken for. */
export interface OtherWriter {
  writer: Writer;
  /** Why they are taken for theirs, in words for a person. */
  because: string;
  answers: number;
  /** The latest of them. */
  reply_id: number;
  sender: string;
}

/** Most kinds that are listed. */
const MAX_KINDS = 5;

/** Lists who else answered the emails of a campaign, most answers first. Indexes: replies_campaign, inbound_messages_pkey, outbox_pkey. */
export function otherWriters(db: Queryable, caller: Caller, campaignId: number): Promise<OtherWriter[]> {
  return db.query<OtherWriter>(sql`
    select im.writer, im.because, count(*)::int as answers, max(r.id) as reply_id, (array_agg(r.sender order by r.id desc))[1] as sender
    from replies r join inbound_messages im on im.id = r.inbound_id join outbox o on o.id = r.outbox_id
    where r.campaign_id = ${campaignId} and ${isSeen(caller)} and r.sender <> '' and im.because is not null
      and address_key(r.sender) <> address_key(o.recipient)
    group by im.writer, im.because order by count(*) desc, max(r.id) desc limit ${MAX_KINDS}`);
}
