import type { Caller } from '../access/index.ts';
import { notFound } from '../core/errors.ts';
import type { Writer } from '../core/writer-words.ts';
import { type Queryable, sql } from '../db/statement.ts';
import type { Tx } from '../db/transaction.ts';
import { type Draft, draftsOf } from '../outbox/index.ts';
import { type ReplyFile, type ReplyRow, replyColumns } from './reply.ts';
import { readThread, type ThreadMessage } from './thread.ts';
import { isSeen } from './visible-replies.ts';

/** A reply with its text and thread. */
export interface ReplyDetails extends ReplyRow {
  /** The whole text with its quotations, cut to 50,000 characters. */
  text: string;
  /** The author's own text, without quotations and signature; the whole text if nothing else is left. Cut to 20,000 characters. */
  own_text: string;
  attachments: ReplyFile[];
  /** The writer to whom we attribute it, and why, in words for users. */
  writer: Writer;
  because: string;
  /** The proof by which the email that it answers was recognised. */
  proof: 'token' | 'id' | 'ref' | 'thread' | 'sender';
  /** Answers that wait for a user's approval. */
  drafts: Draft[];
  /** Every email to and from the contact in this campaign, oldest first. */
  thread: ThreadMessage[];
}

/** Reads one reply with its text and its thread. Throws `not_found`. Indexes: replies_pkey, those of `readThread`. */
export async function getReply(db: Queryable, caller: Caller, id: number): Promise<ReplyDetails> {
  const [row] = await db.query<Omit<ReplyDetails, 'thread' | 'drafts'> & { enrolment_id: number }>(sql`
    select ${replyColumns('r')}, r.full_text as text, r.own_text, r.files as attachments, r.enrolment_id, im.writer, im.proof,
      coalesce(im.because, '') as because
    from replies r join inbound_messages im on im.id = r.inbound_id where r.id = ${id} and ${isSeen(caller)}`);
  if (row === undefined) throw notFound('reply');
  const { enrolment_id: enrolmentId, ...reply } = row;
  const [drafts, thread] = await Promise.all([draftsOf(db, id), readThread(db, enrolmentId)]);
  return { ...reply, drafts, thread };
}

/** Locks a reply that the caller can see and returns its record. Throws `not_found`. */
export async function lockReply(tx: Tx, caller: Caller, id: number): Promise<ReplyRow> {
  const [row] = await tx.query<ReplyRow>(sql`
    select ${replyColumns('r')} from replies r where r.id = ${id} and ${isSeen(caller)} for no key update of r`);
  if (row === undefined) throw notFound('reply');
  return row;
}
