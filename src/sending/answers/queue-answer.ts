import { audit, type Caller } from '../../access/index.ts';
import type { App } from '../../app.ts';
import { isSuppressed } from '../../contacts/index.ts';
import { conflict } from '../../core/errors.ts';
import type { Tx } from '../../db/transaction.ts';
import { messageIdOf, messageKey } from '../../mail/message-id.ts';
import { countAnswers, type DraftContent, queueAnswer } from '../../outbox/index.ts';
import { getReply, lockReply, markRead, type ReplyDetails, type ReplyRow } from '../../replies/index.ts';
import { type AnswerInput, contentOf } from './answer-content.ts';
import { type Origin, originOf } from './origin.ts';

/**
 * Queues an answer to a reply and marks the reply as read. A daemon sends the answer immediately, or at its `send_at`, from the account
 * that got the reply. Throws `not_found`, `invalid_request` for a body that no email can have, and `conflict` if the address is suppressed,
 * the account can't send, or the sender of the reply is no longer stored.
 */
export async function answerReply(
  app: App,
  caller: Caller,
  id: number,
  input: AnswerInput & { even_if_suppressed?: boolean | undefined },
): Promise<ReplyDetails> {
  await app.db.tx(async (tx) => {
    const reply = await lockReply(tx, caller, id);
    const content = await contentOf(tx, app, caller, reply, input);
    await send(tx, app, caller, reply, { ...content, evenIfSuppressed: input.even_if_suppressed, userId: caller.userId, draftId: null });
  });
  return getReply(app.db, caller, id);
}

/** An answer that a user has approved for sending. */
interface Approved extends DraftContent {
  evenIfSuppressed: boolean | undefined;
  /** The author. */
  userId: number | null;
  /** The draft that it replaces; null if it never was a draft. */
  draftId: number | null;
}

/** Puts an answer to a locked reply into the outbox. Throws `conflict` as `answerReply` does. */
export async function send(tx: Tx, app: App, caller: Caller, reply: ReplyRow, answer: Approved): Promise<void> {
  const now = app.clock.now();
  const { id } = reply;
  const origin = await originOf(tx, id);
  if (reply.from === '') throw conflict("the sender of this reply is no longer stored, so it can't be answered");
  refuseUnsendable(origin);
  const despiteSuppression = answer.evenIfSuppressed === true;
  if (!despiteSuppression) await refuseSuppressed(tx, app, origin, reply.from);
  const key = messageKey(app.sealer, origin.workspace_id, origin.enrolment_id, `reply ${id}, answer ${await countAnswers(tx, id)}`);
  await queueAnswer(
    tx,
    {
      ...{ workspaceId: origin.workspace_id, campaignId: reply.campaign_id, enrolmentId: origin.enrolment_id, contactId: reply.contact_id },
      ...{ accountId: origin.account_id, stepOrder: reply.step_order, replyId: id, recipient: reply.from, despiteSuppression },
      ...{ subject: answer.subject, bodyHtml: answer.bodyHtml, cc: answer.cc, attachments: answer.attachments },
      ...{ userId: answer.userId, dueAt: answer.dueAt ?? now },
      messageId: messageIdOf(key, origin.account_email),
    },
    answer.draftId,
    now,
  );
  await markRead(tx, id);
  const changes = {
    to: reply.from,
    ...(answer.cc.length > 0 && { cc: answer.cc }),
    ...(answer.attachments.length > 0 && { attached: answer.attachments.map(({ name }) => name) }),
    ...(answer.draftId !== null && { draft: answer.draftId }),
  };
  await audit(tx, caller, now, { action: 'reply.answer', resourceType: 'reply', resourceId: id, changes });
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
