import { raw, type Sql, sql } from '../db/statement.ts';
import { timestamp } from '../db/timestamp.ts';
import type { Tx } from '../db/transaction.ts';
import type { AttachedFile, NamedFile } from '../uploads/attachments.ts';

/** The content of an answer and its copies. */
export interface AnswerParts {
  subject: string;
  bodyHtml: string;
  /** Addresses that get a visible copy. */
  cc: string[];
  attachments: AttachedFile[];
}

/** An answer to a reply that waits for a user's approval. */
export interface Draft {
  id: number;
  reply_id: number;
  subject: string;
  body_html: string;
  /** The body as plain text. */
  body_text: string;
  cc: string[];
  attachments: (NamedFile & { size: number })[];
  /** Time at which it will be sent; null for immediately after approval. */
  send_at: string | null;
  /** The user who wrote it or on whose behalf it was written; null for the operator. */
  created_by: number | null;
  created_at: string;
  updated_at: string;
}

/** The content of a draft. */
export interface DraftContent extends AnswerParts {
  dueAt: Date | null;
}

/** Condition: answer `alias` is a draft. Index: answers_drafts. */
export const isDraft = (alias: string): Sql => sql`${raw(alias)}.outbox_id is null`;

/** Columns of a `Draft`, except for its plain text, for a statement that selects from `answers` under this alias. */
export const draftColumns = (alias: string): Sql => {
  const w = raw(alias);
  return sql`${w}.id, ${w}.reply_id, ${w}.subject, ${w}.body_html, ${w}.cc, ${w}.attachments, ${timestamp(`${alias}.due_at`)} as send_at, ${w}.created_by,
    ${timestamp(`${alias}.created_at`)} as created_at, ${timestamp(`${alias}.updated_at`)} as updated_at`;
};

/** Condition: there is a draft of an answer to reply `alias`. Index: answers_drafts. */
export const hasDraft = (alias: string): Sql => sql`exists (select from answers w where w.reply_id = ${raw(alias)}.id and ${isDraft('w')})`;

/** Stores a draft and returns its id. */
export async function insertDraft(tx: Tx, replyId: number, content: DraftContent, userId: number | null, now: Date): Promise<number> {
  const { subject, bodyHtml, cc, attachments, dueAt } = content;
  const [row] = await tx.query<{ id: number }>(sql`
    insert into answers (reply_id, subject, body_html, cc, attachments, due_at, created_by, created_at, updated_at)
    values (${replyId}, ${subject}, ${bodyHtml}, ${cc}::text[], ${JSON.stringify(attachments)}::jsonb, ${dueAt}, ${userId}, ${now}, ${now}) returning id`);
  if (row === undefined) throw new Error('the draft was not stored');
  return row.id;
}

/** Reads and locks a draft of an answer to a reply; undefined once it is approved or discarded. Index: answers_pkey. */
export async function lockDraft(tx: Tx, replyId: number, id: number): Promise<(DraftContent & { createdBy: number | null }) | undefined> {
  const [row] = await tx.query<DraftContent & { createdBy: number | null }>(sql`
    select w.subject, w.body_html as "bodyHtml", w.cc, w.attachments, w.due_at as "dueAt", w.created_by as "createdBy" from answers w
    where w.id = ${id} and w.reply_id = ${replyId} and ${isDraft('w')} for update`);
  return row;
}

/** Replaces the content of a locked draft. */
export async function updateDraft(tx: Tx, id: number, content: DraftContent, now: Date): Promise<void> {
  const { subject, bodyHtml, cc, attachments, dueAt } = content;
  await tx.query(sql`
    update answers set subject = ${subject}, body_html = ${bodyHtml}, cc = ${cc}::text[], attachments = ${JSON.stringify(attachments)}::jsonb,
      due_at = ${dueAt}, updated_at = ${now}
    where id = ${id}`);
}

/** Deletes a locked draft. */
export async function deleteDraft(tx: Tx, id: number): Promise<void> {
  await tx.query(sql`delete from answers where id = ${id}`);
}
