import { type Queryable, sql } from '../db/statement.ts';
import type { Tx } from '../db/transaction.ts';
import { markEmails, unmarkEmail } from '../events/index.ts';
import type { ReplyKind } from './reply-kind.ts';

/** A reply with all data that determines its effect. */
export interface StoredReply {
  id: number;
  kind: ReplyKind;
  enrolmentId: number;
  outboxId: number;
  inboundId: number;
  mailboxId: number;
  sender: string;
  senderName: string;
  subject: string;
  ownText: string;
  hasLeft: boolean;
  mayAskToBeRemoved: boolean;
  returnsOn: string | null;
  createdAt: Date;
}

const columns = sql`r.id, r.kind, r.enrolment_id as "enrolmentId", r.outbox_id as "outboxId", r.inbound_id as "inboundId",
  r.mailbox_id as "mailboxId", r.sender, r.sender_name as "senderName", r.subject, r.own_text as "ownText", r.has_left as "hasLeft",
  r.may_ask_to_be_removed as "mayAskToBeRemoved",  r.returns_on::text as "returnsOn", r.created_at as "createdAt"`;

/** Loads a reply and the later replies of these enrolments, in the order of arrival. Indexes: replies_pkey, replies_enrolment. */
export function loadReplies(db: Queryable, id: number, enrolmentIds: readonly number[]): Promise<StoredReply[]> {
  return db.query<StoredReply>(sql`
    select ${columns} from replies r
    where r.id = ${id} or (r.enrolment_id = any(${enrolmentIds}::int[]) and r.id > ${id}) order by r.id`);
}

/**
 * Sets the kind of a locked reply. That also decides if it is an unsubscribe request, and if its email counts as answered automatically.
 * Index: replies_enrolment.
 */
export async function setKind(tx: Tx, id: number, kind: ReplyKind): Promise<void> {
  const [reply] = await tx.query<{ outboxId: number; enrolmentId: number; at: Date; isAnsweredByOther: boolean }>(sql`
    update replies r set kind = ${kind}, may_ask_to_be_removed = false where r.id = ${id}
    returning r.outbox_id as "outboxId", r.enrolment_id as "enrolmentId", r.created_at as at, exists (
      select from replies o where o.enrolment_id = r.enrolment_id and o.outbox_id = r.outbox_id and o.kind = 'auto_reply' and o.id <> r.id
    ) as "isAnsweredByOther"`);
  if (reply === undefined) return;
  if (kind === 'auto_reply') await markEmails(tx, [{ ...reply, mark: 'auto_replied' }]);
  else if (!reply.isAnsweredByOther) await unmarkEmail(tx, { ...reply, mark: 'auto_replied' });
}
