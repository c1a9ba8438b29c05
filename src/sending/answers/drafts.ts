import { isDeepStrictEqual } from 'node:util';
import { audit, type Caller } from '../../access/index.ts';
import type { App } from '../../app.ts';
import { notFound } from '../../core/errors.ts';
import type { Tx } from '../../db/transaction.ts';
import { type DraftContent, deleteDraft, insertDraft, lockDraft, updateDraft } from '../../outbox/index.ts';
import { type DraftRecord, getDraft, getReply, lockReply, type ReplyDetails, type ReplyRow, replyOfDraft } from '../../replies/index.ts';
import { type AnswerInput, contentOf } from './answer-content.ts';
import { send } from './queue-answer.ts';
import { refuseSuppressedCopies } from './suppressed-copies.ts';

/**
 * Drafts an answer to a reply. It is not sent until a user approves it. Throws `not_found`, and `invalid_request` for a body that no email
 * can have.
 */
export async function draftAnswer(app: App, caller: Caller, replyId: number, input: AnswerInput): Promise<DraftRecord> {
  const now = app.clock.now();
  const id = await app.db.tx(async (tx) => {
    const reply = await lockReply(tx, caller, replyId);
    const draft = await insertDraft(tx, replyId, await contentOf(tx, app, caller, reply, input), caller.userId, now);
    await auditDraft(tx, app, caller, 'draft', reply, draft);
    return draft;
  });
  return getDraft(app.db, caller, id);
}

/** Changes the content of a draft. Undefined fields keep their value; identical content is not a change. Throws as `draftAnswer` does. */
export async function changeDraft(app: App, caller: Caller, id: number, input: AnswerInput): Promise<DraftRecord> {
  await app.db.tx(async (tx) => {
    const { reply, draft } = await lock(tx, caller, id);
    const content = await contentOf(tx, app, caller, reply, input, draft);
    if (isDeepStrictEqual({ ...draft, ...content }, draft)) return;
    await updateDraft(tx, id, content, app.clock.now());
    await auditDraft(tx, app, caller, 'revise', reply, id);
  });
  return getDraft(app.db, caller, id);
}

/** Sends a draft as an answer by the user who wrote the draft. Throws as `answerReply` does. */
export async function approveDraft(app: App, caller: Caller, id: number, evenIfSuppressed?: boolean): Promise<ReplyDetails> {
  const replyId = await app.db.tx(async (tx) => {
    const { reply, draft } = await lock(tx, caller, id);
    await refuseSuppressedCopies(tx, app, caller.workspaceId, draft.cc);
    await send(tx, app, caller, reply, { ...draft, evenIfSuppressed, userId: draft.createdBy, draftId: id });
    return reply.id;
  });
  return getReply(app.db, caller, replyId);
}

/** Deletes a draft. Throws `not_found`. */
export async function discardDraft(app: App, caller: Caller, id: number): Promise<void> {
  await app.db.tx(async (tx) => {
    const { reply } = await lock(tx, caller, id);
    await deleteDraft(tx, id);
    await auditDraft(tx, app, caller, 'discard', reply, id);
  });
}

type LockedDraft = DraftContent & { createdBy: number | null };

/** Locks the reply before the draft, in the same order as all code that answers a reply. */
async function lock(tx: Tx, caller: Caller, id: number): Promise<{ reply: ReplyRow; draft: LockedDraft }> {
  const reply = await lockReply(tx, caller, await replyOfDraft(tx, caller, id));
  const draft = await lockDraft(tx, reply.id, id);
  if (draft === undefined) throw notFound('draft');
  return { reply, draft };
}

const auditDraft = (tx: Tx, app: App, caller: Caller, verb: string, { id }: ReplyRow, draft: number): Promise<void> =>
  audit(tx, caller, app.clock.now(), { action: `reply.${verb}`, resourceType: 'reply', resourceId: id, changes: { draft } });
