import { audit, type Caller } from '../access/index.ts';
import type { App } from '../app.ts';
import { continueEnrolments, enrolmentsOfAddress, PollEnds, undoReply, undoSubsequences } from '../campaigns/index.ts';
import { removeReplySuppressions } from '../contacts/index.ts';
import { conflict } from '../core/errors.ts';
import { type Queryable, sql } from '../db/statement.ts';
import type { Tx } from '../db/transaction.ts';
import { retractEvents } from '../events/index.ts';
import type { Verdict } from '../mail/classify/index.ts';
import {
  getReply,
  loadReplies,
  lockReply,
  publishReply,
  type ReplyDetails,
  type ReplyKind,
  type StoredReply,
  setKind,
} from '../replies/index.ts';
import { reapplyEffect } from './apply-effect.ts';
import type { Proof } from './evidence.ts';
import { type Arrival, candidateOf, ownOf } from './match.ts';
import { senderOf, type Writer } from './writer.ts';

/** The verdict for each kind. A colleague's reply differs from the contact's only in its writer. */
const VERDICT_OF: Record<ReplyKind, Verdict> = {
  reply: 'reply',
  colleague: 'reply',
  unsubscribe_request: 'unsubscribe_request',
  auto_reply: 'auto_reply',
};

/**
 * Corrects the kind of a reply. Undoes its effect as if it had never arrived, applies the effect of the correct kind as of its arrival, and
 * then the effects of later replies, which the wrong one may have hidden. Afterwards events, statistics, enrolments, holds and suppressions
 * are what the correct kind would have led to. Setting the same kind has no effect, unless the reply may be an unsubscribe request: then it
 * no longer may be one, and the contact continues where they were. Throws `not_found`.
 */
export async function reclassifyReply(app: App, caller: Caller, id: number, kind: ReplyKind): Promise<ReplyDetails> {
  const now = app.clock.now();
  await app.db.tx(async (tx) => {
    const { kind: before, may_ask_to_be_removed: isOpen } = await lockReply(tx, caller, id);
    if (before === kind && !isOpen) return;
    const { answered, touched } = await undoEffect(tx, app, caller, id);
    const precedence = { ends: new PollEnds(now), strength: 'stop', replyId: id } as const;
    if (kind !== 'reply')
      for (const enrolmentId of answered) await undoSubsequences(tx, app, caller, { replyId: id, enrolmentId }, precedence);
    await setKind(tx, id, kind);
    const [reply, ...later] = await loadReplies(tx, id, touched);
    if (reply === undefined) throw new Error(`reply ${id} is gone`);
    const changes = { ...(before !== kind && { kind: [before, kind] }), ...(isOpen && { may_ask_to_be_removed: [true, false] }) };
    await setVerdict(tx, reply.inboundId, VERDICT_OF[kind]);
    for (const each of [reply, ...later]) {
      const arrival = await arrivalOf(tx, each, now);
      await reapplyEffect(tx, app, arrival, caller, each.createdAt, each === reply);
    }
    await continueEnrolments(tx, app, caller, touched, reply.createdAt);
    await audit(tx, caller, now, { action: 'reply.reclassify', resourceType: 'reply', resourceId: id, changes });
    await publishReply(tx, 'reply.reclassified', id, now);
  });
  return getReply(app.db, caller, id);
}

/**
 * Decides if an ambiguous reply is an unsubscribe request. If it is, the address is suppressed; otherwise the contact continues where they
 * were. Throws `not_found`, and `conflict` if there is nothing to decide.
 */
export async function decideRemoval(app: App, caller: Caller, id: number, isRequest: boolean): Promise<ReplyDetails> {
  const reply = await getReply(app.db, caller, id);
  if (!reply.may_ask_to_be_removed) throw conflict('there is nothing to decide about this reply; correct its kind instead');
  return reclassifyReply(app, caller, id, isRequest ? 'unsubscribe_request' : reply.kind);
}

/**
 * Undoes the effect of a reply. Returns the ids of the enrolments that it answered (`answered`: the email's enrolment and those of the
 * author), and of all enrolments that it had changed (`touched`).
 */
async function undoEffect(tx: Tx, app: App, caller: Caller, id: number): Promise<{ answered: number[]; touched: number[] }> {
  const [reply] = await loadReplies(tx, id, []);
  if (reply === undefined) throw new Error(`reply ${id} is gone`);
  const own = await enrolmentsOfAddress(tx, reply.enrolmentId, reply.sender);
  const answered = [reply.enrolmentId, ...own.map((enrolment) => enrolment.id)];
  // Enrolments are locked before statistics.
  await tx.query(sql`select from enrolments where id = any(${answered}::int[]) order by id for no key update`);
  for (const enrolmentId of answered) await retractEvents(tx, enrolmentId, id);
  await removeReplySuppressions(tx, app, caller, id);
  return { answered, touched: await undoReply(tx, app, caller, id, reply.enrolmentId) };
}

/**
 * Rebuilds a stored reply as it arrived, but with its current kind.
 * @param since a time after its poll, so that no other message outranks it
 */
async function arrivalOf(db: Queryable, reply: StoredReply, since: Date): Promise<Arrival> {
  const [message] = await db.query<{ proof: Proof; writer: Writer; because: string; copy: number | null; reasons: string[] }>(
    sql`select proof, writer, coalesce(because, '') as because, copy, reasons from inbound_messages where id = ${reply.inboundId}`,
  );
  if (message === undefined) throw new Error(`the message of reply ${reply.id} is gone`);
  const email = await candidateOf(db, reply.mailboxId, reply.outboxId);
  const result = {
    ...{
      verdict: VERDICT_OF[reply.kind],
      hasLeft: reply.hasLeft,
      mayAskToBeRemoved: reply.mayAskToBeRemoved,
      until: reply.returnsOn,
      ownText: reply.ownText,
      reasons: message.reasons,
    },
    ...{ recipient: null, isRecipientNamed: false, status: null, cause: null, isComplaint: false, token: null, returnedHeader: null },
    ...{ originalMessageIds: [], references: [], threadIndexes: [] },
  };
  const mail = { from: { name: reply.senderName, address: reply.sender }, subject: reply.subject };
  const { proof, writer, because } = message;
  const sender = senderOf(mail, result.verdict, email, await ownOf(db, email.workspaceId, mail));
  const copy = message.copy === null ? null : (email.copies[message.copy] ?? null);
  const match = { email, proof, copyKey: null, writer: writerOf(reply.kind, writer), because, copy, sender };
  return { reading: { mail, result }, match, replyId: reply.id, ends: new PollEnds(since) };
}

/** Returns the writer after a correction: by choosing the contact's or a colleague's reply, the user also states who wrote it. */
function writerOf(kind: ReplyKind, writer: Writer): Writer {
  if (kind === 'colleague') return writer === 'copied' ? writer : 'colleague';
  return kind === 'reply' && (writer === 'colleague' || writer === 'copied') ? 'contact' : writer;
}

/** Corrects the verdict on a message, by which auto-replies are counted. */
async function setVerdict(tx: Tx, inboundId: number, verdict: Verdict): Promise<void> {
  await tx.query(sql`update inbound_messages set verdict = ${verdict} where id = ${inboundId}`);
}
