import { audit, type Caller } from '../../access/index.ts';
import { accountIs, canSend, isSameMailbox } from '../../accounts/index.ts';
import type { App } from '../../app.ts';
import { isLiveContact, isSuppressed } from '../../contacts/index.ts';
import { DAY } from '../../core/clock.ts';
import { conflict, invalid } from '../../core/errors.ts';
import { sql } from '../../db/statement.ts';
import type { Tx } from '../../db/transaction.ts';
import { checkAuthorHtml } from '../../html/author-html.ts';
import { paragraphsOf } from '../../html/paragraphs.ts';
import { textOf } from '../../mail/compose.ts';
import { messageIdOf, messageKey } from '../../mail/message-id.ts';
import { countAnswers, queueAnswer } from '../../outbox/index.ts';
import { getReply, lockReply, markRead, type ReplyDetails } from '../../replies/index.ts';
import { inOneLine } from './compose-answer.ts';

/** The answer of a person to a reply. */
export interface AnswerInput {
  /** One of the two. */
  body_html?: string | undefined;
  text?: string | undefined;
  /** The subject of the reply, with `Re: `, if it is left out. */
  subject?: string | undefined;
  even_if_suppressed?: boolean | undefined;
  /** At once if it is left out. */
  send_at?: Date | undefined;
}

/** The longest time for which an answer waits. */
const MAX_AHEAD = 365 * DAY;
/** RFC 5322 §2.1.1. */
const MAX_SUBJECT_OCTETS = 998;

interface Origin {
  workspace_id: number;
  enrolment_id: number;
  account_email: string;
  /** The address that the email went to which was replied to. */
  mailed: string;
  mailed_subject: string;
  /** The account that was answered, or the live one of the same mailbox. */
  account_id: number;
  can_send: boolean;
  /** The first thing to do with an account that can't send. */
  remedy: string;
  is_contact_live: boolean;
}

/**
 * Queues an answer to a reply; a daemon sends it at once, or at its time, from the account that was answered. The reply is marked as read. Throws
 * `not_found`, `invalid_request` for a body that no email can have, and `conflict` if the address is suppressed, the account can't send,
 * or the sender of the reply was not kept.
 */
export async function answerReply(app: App, caller: Caller, id: number, input: AnswerInput): Promise<ReplyDetails> {
  const now = app.clock.now();
  await app.db.tx(async (tx) => {
    const reply = await lockReply(tx, caller, id);
    const bodyHtml = bodyOf(input);
    if (Buffer.byteLength(input.subject ?? '') > MAX_SUBJECT_OCTETS) throw invalid(`subject: at most ${MAX_SUBJECT_OCTETS} bytes as UTF-8`);
    const dueAt = input.send_at ?? now;
    if (dueAt.getTime() > now.getTime() + MAX_AHEAD) throw invalid('send_at: at most a year ahead');
    const origin = await originOf(tx, id);
    if (reply.from === '') throw conflict("the sender of this reply is no longer stored, so it can't be answered");
    refuseUnsendable(origin);
    const despiteSuppression = input.even_if_suppressed === true;
    if (!despiteSuppression) await refuseSuppressed(tx, app, origin, reply.from);
    const key = messageKey(app.sealer, origin.workspace_id, origin.enrolment_id, `reply ${id}, answer ${await countAnswers(tx, id)}`);
    await queueAnswer(
      tx,
      {
        ...{
          workspaceId: origin.workspace_id,
          campaignId: reply.campaign_id,
          enrolmentId: origin.enrolment_id,
          contactId: reply.contact_id,
        },
        ...{ accountId: origin.account_id, stepOrder: reply.step_order, replyId: id, recipient: reply.from, bodyHtml, despiteSuppression },
        ...{ subject: input.subject ?? answerSubject(reply.subject || origin.mailed_subject), userId: caller.userId, dueAt },
        messageId: messageIdOf(key, origin.account_email),
      },
      now,
    );
    await markRead(tx, id);
    await audit(tx, caller, now, { action: 'reply.answer', resourceType: 'reply', resourceId: id, changes: { to: reply.from } });
  });
  return getReply(app.db, caller, id);
}

function bodyOf({ body_html, text }: AnswerInput): string {
  if ((body_html === undefined) === (text === undefined)) throw invalid('body_html, text: give one of them');
  if (text?.trim() === '') throw invalid('text: must not be empty');
  if (body_html === undefined) return paragraphsOf(text ?? '');
  checkAuthorHtml('body_html', body_html);
  if (textOf(body_html).trim() === '' && !/<img\b/i.test(body_html)) throw invalid('body_html: must not be empty');
  return body_html;
}

const answerSubject = (subject: string) => inOneLine(/^re:/i.test(subject) ? subject : `Re: ${subject}`);

/** Reads what an answer needs beside the record of the reply. Index: replies_pkey; a workspace has few accounts. */
async function originOf(tx: Tx, id: number): Promise<Origin> {
  const [row] = await tx.query<Origin>(sql`
    select r.workspace_id, r.enrolment_id, a.email as account_email, o.recipient as mailed, coalesce(o.subject, '') as mailed_subject,
      a.id as account_id, ${canSend('a')} as can_send, exists (select from contacts t where t.id = r.contact_id and ${isLiveContact('t')}) as is_contact_live,
      case when a.deleted_at is not null or ${accountIs('a', 'disconnected')} then 'connect it again' when a.is_archived then 'unarchive it' else 'resume it' end as remedy
    from replies r join outbox o on o.id = r.outbox_id join accounts answered on answered.id = r.account_id
    cross join lateral (
      select b.* from accounts b where b.workspace_id = r.workspace_id and ${isSameMailbox('b', 'answered')}
      order by b.deleted_at is not null, b.id desc limit 1) a
    where r.id = ${id}`);
  if (row === undefined) throw new Error(`reply ${id} is gone`);
  return row;
}

function refuseUnsendable({ account_email, can_send, remedy, is_contact_live }: Origin): void {
  if (!is_contact_live) throw conflict('the contact is archived; unarchive it, then answer again');
  if (!can_send) throw conflict(`the account ${account_email} can't send now; ${remedy}, then answer again`);
}

async function refuseSuppressed(tx: Tx, app: App, { workspace_id, mailed }: Origin, from: string): Promise<void> {
  for (const address of new Set([from, mailed]))
    if (await isSuppressed(tx, app, workspace_id, address))
      throw conflict(`${address} is suppressed; pass "even_if_suppressed": true to answer anyway`);
}
