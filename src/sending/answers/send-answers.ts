import { canSend, forgetFailures, uncountEmail } from '../../accounts/index.ts';
import type { App } from '../../app.ts';
import { MINUTE } from '../../core/clock.ts';
import { isSameAddress, withAsciiDomain } from '../../core/email-address.ts';
import { messageOf } from '../../core/errors.ts';
import type { Placed, Room } from '../../core/room.ts';
import { readPlaced } from '../../db/in-turns.ts';
import { sql } from '../../db/statement.ts';
import { wholeMessage } from '../../mail/attached-message.ts';
import { classifyReply } from '../../mail/replies/classify-reply.ts';
import type { Outcome } from '../../mail/smtp-session.ts';
import {
  type ClaimedAnswer,
  claimAnswer,
  failAnswer,
  isAnswerDue,
  keepSignature,
  lockEmail,
  postponeAnswer,
  recordAccepted,
  recordUncertain,
  scheduleCopy,
  withRefusedCopies,
} from '../../outbox/index.ts';
import { recordAnswered } from '../../replies/index.ts';
import { BatchConnection } from '../batch/connection.ts';
import { type ConnectionFailure, handleConnectionFailure } from '../batch/connection-failure.ts';
import { pauseByCause } from '../batch/pause-account.ts';
import { retryWrite } from '../batch/retry-write.ts';
import { BACKOFF } from '../email/delays.ts';
import { beyondLimit, permitEmails } from '../email/permit.ts';
import { loadSendingAccount, type SendingAccount } from '../state/account-state.ts';
import { composeAnswer } from './compose-answer.ts';
import { suppressedAmong } from './suppressed-copies.ts';

/** Maximum number of answers in one run. */
const MAX_ANSWERS_PER_RUN = 100;
/** Delay before retrying an answer whose account can't send now. */
const RETRY_DELAY = 5 * MINUTE;

const CONTACT_GONE = 'the contact is archived or deleted, or the campaign is deleted; restore it, then answer again';

/** Lists accounts that can send and have due answers, as far as there is room. Index: outbox_open. */
export async function dueAnswers(app: App, room: Room): Promise<Placed[]> {
  const now = app.clock.now();
  return readPlaced(
    app.db,
    room,
    sql`select a.id, a.workspace_id, null::timestamptz as due_at from accounts a
      where ${canSend('a')} and (a.connect_after is null or a.connect_after <= ${now})
      and a.id in (select o.account_id from outbox o where ${isAnswerDue('o', now)})`,
  );
}

/**
 * Sends the due answers of one account, each with its own permit. Several daemons may run it concurrently. Returns the number of accepted
 * answers.
 */
export async function sendAnswers(app: App, accountId: number, signal?: AbortSignal): Promise<number> {
  const account = await loadSendingAccount(app, accountId);
  if (account === null) return 0;
  const connection = new BatchConnection(app, account, signal === undefined ? {} : { stopping: signal });
  let sent = 0;
  try {
    for (let turn = 0; turn < MAX_ANSWERS_PER_RUN && signal?.aborted !== true; turn++) {
      // Claim one at a time, so that the claim is fresh when the answer is sent.
      const answer = await claimAnswer(app.db, accountId, app.clock.now());
      if (answer === undefined) break;
      if (await sendAnswer(app, account, connection, answer)) sent++;
    }
  } finally {
    connection.close();
  }
  return sent;
}

async function sendAnswer(app: App, account: SendingAccount, connection: BatchConnection, answer: ClaimedAnswer): Promise<boolean> {
  let composed: Awaited<ReturnType<typeof composeAnswer>>;
  let filed: Buffer | null = null;
  try {
    composed = await composeAnswer(app, account, answer, app.clock.now());
    if (account.copyDelay !== null) filed = await wholeMessage(composed.message);
  } catch (error) {
    await fail(app, answer, `can't be written: ${messageOf(error)}`);
    return false;
  }
  const failure = await connection.open();
  if (failure !== undefined) {
    await postpone(app, answer, RETRY_DELAY, failure.text, false);
    await handleConnectionFailure(app, account, failure);
    return false;
  }
  const { message, replyAccountId } = composed;
  const email = { ...answer, content: null, replyAccountId };
  const suppressed = await suppressedAmong(app.db, app, account.workspaceId, answer.cc);
  if (suppressed !== undefined) {
    await fail(app, answer, `${suppressed}, which should get a copy, is suppressed now`);
    return false;
  }
  await keepSignature(app.db, answer.id, account.signatureHtml);
  const [permit] = await permitEmails(app, [{ account: beyondLimit(account), email, message: filed }]);
  if (permit === 'suppressed') await fail(app, answer, 'the address was suppressed');
  else if (permit === 'gone') await fail(app, answer, CONTACT_GONE);
  else if (permit === 'not now') await postpone(app, answer, RETRY_DELAY, "the account can't send now", false);
  if (permit !== 'granted') return false;
  const addresses = { recipient: withAsciiDomain(answer.recipient), cc: answer.cc.map(withAsciiDomain) };
  const outcome = await connection.send({ ...addresses, message: filed ?? message }, async () => true);
  return handleOutcome(app, account, answer, outcome);
}

async function handleOutcome(
  app: App,
  account: SendingAccount,
  answer: ClaimedAnswer,
  outcome: Outcome | ConnectionFailure,
): Promise<boolean> {
  if (outcome.kind === 'accepted') {
    const refusal = outcome.refused.find(({ address }) => isSameAddress(address, answer.recipient));
    if (refusal !== undefined) {
      await retryWrite(app, () => fail(app, answer, `${refusal.text} (the copies were sent)`));
      return false;
    }
    await retryWrite(app, () => accept(app, account, answer, outcome));
    return true;
  }
  if (outcome.kind === 'uncertain') {
    await retryWrite(app, () => recordUncertain(app.db, answer, answer.subject, outcome.text));
    app.log.warn({ outbox: answer.id, reason: outcome.text }, 'delivery of an answer uncertain');
    return false;
  }
  await retryWrite(app, () => refuse(app, account, answer, outcome));
  if (outcome.kind === 'unconnected') await handleConnectionFailure(app, account, outcome);
  return false;
}

async function accept(
  app: App,
  account: SendingAccount,
  { id, attempt, subject, replyId }: ClaimedAnswer,
  outcome: Extract<Outcome, { kind: 'accepted' }>,
): Promise<void> {
  const at = app.clock.now();
  await app.db.tx(async (tx) => {
    const response = withRefusedCopies(outcome.response, outcome.refused);
    const ours = await recordAccepted(tx, [{ id, attempt, subject, at, response, provider: outcome.serverMessageId }]);
    // Recovery has already recorded its outcome.
    if (ours.size === 0) return;
    await forgetFailures(tx, [account.id]);
    await recordAnswered(tx, replyId, at);
    if (account.copyDelay !== null) await scheduleCopy(tx, id, new Date(at.getTime() + account.copyDelay));
  });
}

/** Retries an answer that the server certainly does not have, or marks it as failed, depending on the server's reply. */
async function refuse(
  app: App,
  account: SendingAccount,
  answer: ClaimedAnswer,
  outcome: Exclude<Outcome | ConnectionFailure, { kind: 'accepted' | 'uncertain' }>,
): Promise<void> {
  const now = app.clock.now();
  await app.db.tx(async (tx) => {
    const permittedAt = (await lockEmail(tx, answer.id))?.transmitting_at;
    if (permittedAt != null) await uncountEmail(tx, account, permittedAt);
    const { text } = outcome;
    const retryIn = (wait: number, countsAttempt: boolean) =>
      postponeAnswer(tx, answer.id, new Date(now.getTime() + wait), text, countsAttempt);
    if (outcome.kind === 'unconnected') return retryIn(RETRY_DELAY, false);
    const kind =
      outcome.kind === 'refused' ? classifyReply({ phase: outcome.phase, code: outcome.code, enhanced: null, text }).class : outcome.kind;
    if (kind === 'limit' || kind === 'account') {
      await retryIn(RETRY_DELAY, false);
      return pauseByCause(tx, app, account, kind, text);
    }
    // After the last delay the answer fails, and its author sees that.
    const wait = BACKOFF[answer.attempt - 1];
    const isTemporary = kind === 'temp' || kind === 'soft' || kind === 'unsent';
    if (isTemporary && wait !== undefined) return retryIn(wait, true);
    await failAnswer(tx, answer, text, now);
  });
}

const postpone = (app: App, { id }: ClaimedAnswer, wait: number, text: string | null, countsAttempt: boolean) =>
  app.db.tx((tx) => postponeAnswer(tx, id, new Date(app.clock.now().getTime() + wait), text, countsAttempt));

const fail = (app: App, answer: ClaimedAnswer, reason: string) => app.db.tx((tx) => failAnswer(tx, answer, reason, app.clock.now()));
