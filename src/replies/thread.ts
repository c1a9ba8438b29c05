import { type Queryable, sql } from '../db/statement.ts';
import { timestamp } from '../db/timestamp.ts';
import type { ReplyKind } from './reply.ts';

/** An email of a conversation: one of ours, or one of theirs. */
export interface ThreadMessage {
  /** `step`: an email of the sequence. The others are replies of that kind. */
  type: 'step' | ReplyKind;
  /** Id of the reply; null for an email of ours. */
  reply_id: number | null;
  step_order: number;
  from: string;
  to: string;
  subject: string;
  /** Null for an email of the sequence, of which only the step is kept. */
  text: string | null;
  at: string;
}

/**
 * Reads the conversation of an enrolment, oldest first: the emails that were sent or may have been, and the replies.
 * Indexes: outbox_enrolment_id_step_id_key, replies_enrolment.
 */
export function readThread(db: Queryable, enrolmentId: number): Promise<ThreadMessage[]> {
  return db.query<ThreadMessage>(sql`
    select type, reply_id, step_order, "from", "to", subject, text, ${timestamp('moment')} as at from (
      select 'step' as type, null::int as reply_id, o.step_order, a.email as "from", o.recipient as "to", coalesce(o.subject, '') as subject,
        null as text, coalesce(o.accepted_at, o.transmitting_at) as moment, o.id as position
      from outbox o join accounts a on a.id = o.account_id
      where o.enrolment_id = ${enrolmentId} and o.transmitting_at is not null
      union all
      select r.kind, r.id, r.step_order, r.sender, a.email, r.subject, r.full_text, r.received_at, r.id
      from replies r join accounts a on a.id = r.mailbox_id
      where r.enrolment_id = ${enrolmentId}) messages
    order by moment, type = 'step' desc, position`);
}
