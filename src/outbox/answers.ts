import { WORKER } from '../core/worker.ts';
import { type Queryable, raw, type Sql, sql } from '../db/statement.ts';
import type { Tx } from '../db/transaction.ts';
import { CLAIM_LEASE_SECONDS } from './claims.ts';
import type { AnswerParts } from './drafts.ts';

/** An answer to a reply, not yet sent. */
export interface NewAnswer extends AnswerParts {
  workspaceId: number;
  campaignId: number;
  enrolmentId: number;
  contactId: number;
  accountId: number;
  /** Step of the email that was replied to. */
  stepOrder: number;
  replyId: number;
  recipient: string;
  messageId: string;
  despiteSuppression: boolean;
  userId: number | null;
  dueAt: Date;
}

/** Queues an answer as an email of the outbox. @param draftId the draft that becomes the answer; null if it was not drafted */
export async function queueAnswer(tx: Tx, answer: NewAnswer, draftId: number | null, now: Date): Promise<void> {
  const queued = sql`
    with queued as (
      insert into outbox (workspace_id, campaign_id, enrolment_id, contact_id, account_id, step_order, reply_id, recipient, state, attempt,
        message_id, subject, claimed_at)
      values (${answer.workspaceId}, ${answer.campaignId}, ${answer.enrolmentId}, ${answer.contactId}, ${answer.accountId}, ${answer.stepOrder},
        ${answer.replyId}, ${answer.recipient}, 'retry', 0, ${answer.messageId}, ${answer.subject}, ${now})
      returning id)`;
  const { replyId, subject, bodyHtml, cc, attachments, despiteSuppression, dueAt, userId } = answer;
  await tx.query(
    draftId === null
      ? sql`${queued}
        insert into answers (outbox_id, reply_id, subject, body_html, cc, attachments, despite_suppression, due_at, created_by, created_at,
          updated_at)
        select id, ${replyId}, ${subject}, ${bodyHtml}, ${cc}::text[], ${JSON.stringify(attachments)}::jsonb, ${despiteSuppression}, ${dueAt},
          ${userId}, ${now}, ${now} from queued`
      : sql`${queued}
        update answers w set outbox_id = queued.id, despite_suppression = ${despiteSuppression}, due_at = ${dueAt}, updated_at = ${now}
        from queued where w.id = ${draftId}`,
  );
}

/** Counts the answers to a reply so far, in any state. Index: outbox_answers. */
export async function countAnswers(db: Queryable, replyId: number): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`select count(*)::int as count from outbox where reply_id = ${replyId}`);
  return row?.count ?? 0;
}

/** Condition: answer `alias` is waiting and due. Index: outbox_open. */
export const isAnswerDue = (alias: string, now: Date): Sql => {
  const o = raw(alias);
  return sql`${o}.reply_id is not null and ${o}.closed_at is null and ${o}.state = 'retry'
    and exists (select from answers w where w.outbox_id = ${o}.id and w.due_at <= ${now})`;
};

/** An answer that this worker has claimed. */
export interface ClaimedAnswer extends AnswerParts {
  id: number;
  attempt: number;
  replyId: number;
  enrolmentId: number;
  recipient: string;
  messageId: string;
}

/** Claims an account's oldest due answer for this worker. Skips answers that another worker is claiming. Index: outbox_open. */
export async function claimAnswer(db: Queryable, accountId: number, now: Date): Promise<ClaimedAnswer | undefined> {
  const [answer] = await db.query<ClaimedAnswer>(sql`
    with due as (
      select o.id from outbox o where o.account_id = ${accountId} and ${isAnswerDue('o', now)} order by o.id limit 1
      for update of o skip locked)
    update outbox o set state = 'claimed', attempt = o.attempt + 1, worker = ${WORKER}, claimed_at = ${now},
      lease_until = now() + make_interval(secs => ${CLAIM_LEASE_SECONDS})
    from due join answers w on w.outbox_id = due.id where o.id = due.id
    returning o.id, o.attempt, o.reply_id as "replyId", o.enrolment_id as "enrolmentId", o.recipient, o.subject, o.message_id as "messageId",
      w.body_html as "bodyHtml", w.cc, w.attachments`);
  return answer;
}

/** Stores the signature below an answer, so that the answer can be shown as it was sent. */
export async function keepSignature(db: Queryable, id: number, signature: string | null): Promise<void> {
  await db.query(sql`update answers set signature_html = ${signature} where outbox_id = ${id}`);
}

/** Makes an answer of this worker due again, which was certainly not sent. @param countsAttempt false if the attempt does not count */
export async function postponeAnswer(tx: Tx, id: number, dueAt: Date, text: string | null, countsAttempt: boolean): Promise<void> {
  await tx.query(sql`
    with postponed as (
      update outbox o set state = 'retry', response = coalesce(${text}, o.response), attempt = o.attempt - ${countsAttempt ? 0 : 1}, worker = null,
        lease_until = null
      where o.id = ${id} and o.state in ('claimed', 'transmitting') and o.worker = ${WORKER} returning o.id)
    update answers w set due_at = ${dueAt} from postponed p where w.outbox_id = p.id`);
}

/** Marks an answer of this worker, which was certainly not sent, as failed with the reason. */
export async function failAnswer(tx: Tx, { id, attempt }: ClaimedAnswer, reason: string, now: Date): Promise<void> {
  await tx.query(sql`
    with failed as (
      update outbox set state = 'failed', response = ${reason}, closed_at = ${now}, worker = null, lease_until = null
      where id = ${id} and attempt = ${attempt} and state in ('claimed', 'transmitting') and worker = ${WORKER} returning id)
    delete from sent_copies s using failed f where s.outbox_id = f.id`);
}

/** Marks waiting answers to these contacts as failed, because their content is being erased. Index: outbox_open. */
export async function failAnswersTo(db: Queryable, contactIds: readonly number[], reason: string, now: Date): Promise<void> {
  await db.query(sql`
    update outbox set state = 'failed', response = ${reason}, closed_at = ${now}
    where reply_id is not null and closed_at is null and state = 'retry' and contact_id = any(${contactIds}::int[])`);
}

/** Releases claims on answers whose lease expired before a permit, so that they are due again. Returns their number. Index: outbox_open. */
export async function releaseExpiredAnswers(tx: Tx): Promise<number> {
  const rows = await tx.query(sql`
    update outbox set state = 'retry', attempt = attempt - 1, worker = null, lease_until = null
    where closed_at is null and reply_id is not null and state = 'claimed' and lease_until < now() returning id`);
  return rows.length;
}

/** Makes an unresolved answer due again, as a user decided. */
export async function resendAnswer(tx: Tx, id: number, now: Date): Promise<void> {
  await tx.query(sql`with again as (update outbox set state = 'retry' where id = ${id} returning id)
    update answers w set due_at = ${now} from again where w.outbox_id = again.id`);
}

/** Condition: the author of answer `alias` wants it sent even to a suppressed address. False for steps of sequences. */
export const overridesSuppression = (alias: string): Sql =>
  sql`coalesce((select w.despite_suppression from answers w where w.outbox_id = ${raw(alias)}.id), false)`;

/** Condition: email `alias` is a step of its sequence, not an answer to a reply. */
export const isStepEmail = (alias: string): Sql => sql`${raw(alias)}.step_id is not null`;

const REFUSED_COPIES = '; not to ';

/** Returns the server's response to an accepted answer, with its responses to refused copies. */
export const withRefusedCopies = (response: string, refused: readonly { address: string; text: string }[]): string =>
  [response.slice(0, 2_000), ...refused.map(({ address, text }) => `${address}: ${text}`)].join(REFUSED_COPIES);

/** Selects the server's words about an answer that was not sent, or not to all recipients; else null. */
export const answerError = (alias: string): Sql => {
  const o = raw(alias);
  return sql`case when ${o}.reply_id is not null and (${o}.accepted_at is null or strpos(${o}.response, ${REFUSED_COPIES}) > 0) then ${o}.response end`;
};

/**
 * Selects the `cc` and the attachments (name, size) of answer `alias`; empty lists for steps of sequences. Index: answers_outbox_id_key.
 */
export const answerExtras = (alias: string): Sql => {
  const answer = sql`answers w where w.outbox_id = ${raw(alias)}.id`;
  return sql`coalesce((select w.cc from ${answer}), '{}') as cc, coalesce((select w.attachments from ${answer}), '[]') as attachments`;
};

/** Selects the addresses to which email `alias` was sent in addition to its recipient. Index: answers_outbox_id_key. */
export const copiedAddresses = (alias: string): Sql =>
  sql`coalesce(${raw(alias)}.copies, (select w.cc from answers w where w.outbox_id = ${raw(alias)}.id), '{}')`;

/** Selects the state of an answer as shown in a thread. */
export const answerState = (alias: string): Sql => {
  const o = raw(alias);
  return sql`case ${o}.state when 'accepted' then 'sent' when 'failed' then 'failed' when 'uncertain' then 'unknown' when 'unknown' then 'unknown'
    else 'queued' end`;
};
