import { type SentRow, sentColumns, sentWords } from '../campaigns/index.ts';
import { type Queryable, type Sql, sql } from '../db/statement.ts';
import { timestamp } from '../db/timestamp.ts';
import { answerError, answerExtras, answerState } from '../outbox/index.ts';
import type { ReplyFile } from './reply.ts';
import type { ReplyKind } from './reply-kind.ts';

/** A message of a conversation, sent by either side. */
export interface ThreadMessage {
  /** `step`: an email of the sequence; `answer`: a user's answer to a reply; otherwise a reply of that kind. */
  type: 'step' | 'answer' | ReplyKind;
  /** Id of the reply, or for an answer, of the reply that it answers; null for an email of the sequence. */
  reply_id: number | null;
  step_order: number;
  from: string;
  to: string;
  /** Addresses that get a copy of an answer. */
  cc: string[];
  subject: string;
  /** The text as sent or received; null for an email whose content was erased. */
  text: string | null;
  /** Attachments of an answer or a reply. */
  attachments: ReplyFile[];
  /** The delivery state of an answer; null for all others. */
  state: 'queued' | 'sent' | 'unknown' | 'failed' | null;
  /** The server's words about an answer that was not sent, or not to all recipients. */
  error: string | null;
  at: string;
}

const sentAt = sql`coalesce(o.accepted_at, o.transmitting_at, o.claimed_at)`;

/** Selects the time of a message, but at least just after the message that it answers, because a mail server's clock may be slow. */
export const notBefore = (own: Sql, answered: Sql): Sql => sql`greatest(${own}, ${answered} + interval '1 microsecond')`;

/**
 * Reads the conversation of an enrolment, oldest first: the emails that were or may have been sent, the replies, and the answers to them,
 * including waiting and failed ones. No message comes before the one that it answers. Indexes: outbox_enrolment_id_step_id_key,
 * replies_enrolment, answers_pkey.
 */
export async function readThread(db: Queryable, enrolmentId: number): Promise<ThreadMessage[]> {
  const rows = await db.query<ThreadMessage & Omit<SentRow, 'step_order'>>(sql`
    select type, reply_id, step_order, "from", "to", cc, subject, text, attachments, contact_id, content, content_values, answer, state, error,
      ${timestamp('moment')} as at from (
      select case when o.reply_id is null then 'step' else 'answer' end as type, o.reply_id, a.email as "from",
        o.recipient as "to", ${answerExtras('o')}, coalesce(o.subject, '') as subject, null as text, ${sentColumns('o')},
        case when o.reply_id is not null then ${answerState('o')} end as state,
        ${answerError('o')} as error,
        ${sentAt} as moment, ${notBefore(sentAt, sql`b.received_at`)} as turn, o.id as position
      from outbox o join accounts a on a.id = o.account_id left join replies b on b.id = o.reply_id
      where o.enrolment_id = ${enrolmentId} and (o.transmitting_at is not null or o.reply_id is not null)
      union all
      select r.kind, r.id, r.sender, a.email, '{}'::text[], r.files, r.subject, r.full_text, null, r.step_order, null, null, null, null, null,
        r.received_at, ${notBefore(sql`r.received_at`, sentAt)}, r.id
      from replies r join accounts a on a.id = r.mailbox_id join outbox o on o.id = r.outbox_id
      where r.enrolment_id = ${enrolmentId}) messages
    order by turn, type = 'step' desc, type = 'answer', position`);
  return Promise.all(
    rows.map(async ({ contact_id, content, content_values, answer, attachments, ...rest }) => {
      const message = { ...rest, attachments: attachments.map(({ name, size }) => ({ name, size })) };
      const text = await sentWords({ contact_id, content, content_values, answer, step_order: message.step_order });
      return text === null ? message : { ...message, text };
    }),
  );
}
