import { daemon } from '../../access/index.ts';
import { forgetConnectionFailures, uncountEmail } from '../../accounts/index.ts';
import type { App } from '../../app.ts';
import {
  countBounce,
  countFailure,
  countSoftBounce,
  endEnrolments,
  MAX_SOFT_BOUNCES,
  makeDue,
  pauseUnwanted,
  replyAccountId,
  suppressInTx,
} from '../../campaigns/index.ts';
import { DAY } from '../../core/clock.ts';
import { sendFailuresTotal } from '../../core/metrics.ts';
import { sql } from '../../db/statement.ts';
import type { Tx } from '../../db/transaction.ts';
import { recordEvents } from '../../events/index.ts';
import { classifyReply } from '../../mail/replies/classify-reply.ts';
import type { Reply, ReplyClass } from '../../mail/replies/reply.ts';
import { type Outcome, refusedCommand } from '../../mail/smtp-session.ts';
import { lockEmail, recordFailed, recordRetry, resetAttempts } from '../../outbox/index.ts';
import type { ClaimedEmail } from '../email/claim.ts';
import { BACKOFF } from '../email/delays.ts';
import { logFields } from '../email/record-outcome.ts';
import type { SendingAccount } from '../state/account-state.ts';
import { type ConnectionFailure, failureOfOutcome, handleConnectionFailure, recordOutage } from './connection-failure.ts';
import { pauseByCause } from './pause-account.ts';
import { acceptsNothing, refusesAccount } from './uniform-refusals.ts';

/** Number of attempts that fail for reasons on our side before the enrolment is stopped. */
const MAX_OWN_FAILURES = 3;

/** `continue` if the batch continues with its next email, `stop` if it ends. */
export type Continuation = 'continue' | 'stop';

/**
 * Handles an email that the server did not accept: retries it later, records a bounce or pauses the account, depending on the class of
 * the reply (see `classifyReply`). A fault of ours or of the account never uses up the step.
 * @param hasAccepted true if the server has accepted an email of the same batch
 */
export async function handleRefusal(
  app: App,
  account: SendingAccount,
  email: ClaimedEmail,
  outcome: Extract<Outcome, { kind: 'refused' | 'unsent' | 'unwritable' }> | ConnectionFailure,
  hasAccepted: boolean,
): Promise<Continuation> {
  const now = app.clock.now();
  if (outcome.kind === 'unconnected') return handleUnconnected(app, account, email, outcome);
  if (outcome.kind === 'unsent') return handleUnsent(app, account, email, outcome.text, hasAccepted);
  if (outcome.kind === 'unwritable') return handleUnwritable(app, account, email, outcome.text, now);
  const reply = replyTo(account, email, outcome);
  const { class: kind } = classifyReply(reply);
  const isPermanent = (outcome.code ?? 0) >= 500;
  const isTransient = kind === 'temp' || (kind === 'account' && !isPermanent);
  // Before RCPT, a temporary refusal is about the account and does not count against the contact.
  if (isTransient && outcome.phase !== 'rcpt' && outcome.phase !== 'data')
    return handleUnconnected(app, account, email, failureOfOutcome(outcome));
  sendFailuresTotal.inc({ class: kind });
  return app.db.tx(async (tx) => {
    const line = { ...logFields(email, `${outcome.code ?? ''} ${outcome.text}`), class: kind };
    tx.afterCommit(async () => app.log.info(line, kind === 'hard' ? 'email bounced' : 'email refused'));
    await uncountPermit(tx, account, email);
    const refusesAll = isPermanent ? refusesAccount : acceptsNothing;
    const isUniform = !hasAccepted && RECIPIENT_CLASSES.includes(kind) && (await refusesAll(tx, app, account, email, reply));
    if (isUniform) await retryEmail(tx, email, outcome.text, isPermanent ? now : afterOthers(now), { countsAttempt: false });
    if (isUniform && !isPermanent) await recordOutage(tx, app, account, 'deferred', refusedCommand(outcome));
    else if (account.connectionFailures > 0) await forgetConnectionFailures(tx, account.id);
    if (isUniform) return 'stop';
    return ACTIONS[kind](tx, app, account, email, outcome.text, now);
  });
}

/** Returns the next attempt of an email delayed by an outage. Other emails go first and show if the server accepts them. */
const afterOthers = (now: Date): Date => new Date(now.getTime() + Math.max(...BACKOFF));

/** Classes of refusals that count against the recipient. `message` does not, because the user must change the step. */
const RECIPIENT_CLASSES: readonly ReplyClass[] = ['hard', 'block', 'soft', 'temp'];

/** Builds the server's reply, with the names that its text may repeat. */
const replyTo = (account: SendingAccount, email: ClaimedEmail, { phase, code, text }: Extract<Outcome, { kind: 'refused' }>): Reply => ({
  ...{ phase, code, enhanced: null, text },
  ...{ recipient: email.recipient, sender: account.email },
});

type Action = (tx: Tx, app: App, account: SendingAccount, email: ClaimedEmail, text: string, now: Date) => Promise<Continuation>;

const ACTIONS: Record<ReplyClass, Action> = {
  async hard(tx, app, account, email, text, now) {
    await recordFailed(tx, email.id, text, now);
    const caller = daemon(email.workspace_id);
    await endEnrolments(tx, app, caller, [email.enrolment_id], { status: 'bounced', reason: text });
    await recordBounce(tx, email, now, text);
    await suppressInTx(tx, app, caller, { email: email.recipient, reason: 'bounce', endAs: 'bounced' });
    return (await countBounce(tx, app, account.id, true)) ? 'stop' : 'continue';
  },

  soft: retryOrBounce,
  temp: retryOrBounce,

  async limit(tx, app, account, email, text, now) {
    await retryEmail(tx, email, text, now, { countsAttempt: false });
    await pauseByCause(tx, app, account, 'limit', text);
    return 'stop';
  },

  async account(tx, app, account, email, text, now) {
    await retryEmail(tx, email, text, now, { countsAttempt: false });
    await pauseByCause(tx, app, account, 'account', text);
    return 'stop';
  },

  async block(tx, app, account, email, text, now) {
    await failAttempt(tx, app, email, text, now);
    return (await pauseUnwanted(tx, app, account.workspaceId, account.id, text)) ? 'stop' : 'continue';
  },

  async message(tx, app, _account, email, text, now) {
    await failAttempt(tx, app, email, text, now);
    return 'continue';
  },
};

/** Retries after 15 minutes, 1 hour, 4 hours, then a day. The third such round counts as a bounce. */
async function retryOrBounce(
  tx: Tx,
  app: App,
  account: SendingAccount,
  email: ClaimedEmail,
  text: string,
  now: Date,
): Promise<Continuation> {
  const wait = BACKOFF[email.attempt - 1];
  if (wait !== undefined) {
    await retryEmail(tx, email, text, new Date(now.getTime() + wait));
    return 'continue';
  }
  if ((await countSoftBounce(tx, email.enrolment_id)) < MAX_SOFT_BOUNCES) {
    await retryEmail(tx, email, text, new Date(now.getTime() + DAY));
    await resetAttempts(tx, email.id);
    return 'continue';
  }
  await recordFailed(tx, email.id, text, now);
  await endEnrolments(tx, app, daemon(email.workspace_id), [email.enrolment_id], { status: 'bounced', reason: text });
  await recordBounce(tx, email, now, text);
  return (await countBounce(tx, app, account.id, true)) ? 'stop' : 'continue';
}

/** Treats an email whose envelope this server can't handle, such as one that needs SMTPUTF8, like one that can't be prepared. */
async function handleUnwritable(app: App, account: SendingAccount, email: ClaimedEmail, text: string, now: Date): Promise<Continuation> {
  sendFailuresTotal.inc({ class: 'unwritable' });
  await app.db.tx(async (tx) => {
    await uncountPermit(tx, account, email);
    await failAttempt(tx, app, email, text, now);
  });
  return 'continue';
}

/**
 * Retries an email whose connection was lost before its last part. The email itself may be the cause, so others go first: it waits 15
 * minutes, 1 hour, 4 hours, and then counts as a failure on our side. If the connection is lost with every email, no email is the cause.
 */
async function handleUnsent(
  app: App,
  account: SendingAccount,
  email: ClaimedEmail,
  text: string,
  hasAccepted: boolean,
): Promise<Continuation> {
  sendFailuresTotal.inc({ class: 'connection' });
  const now = app.clock.now();
  await app.db.tx(async (tx) => {
    await uncountPermit(tx, account, email);
    const wait = BACKOFF[email.attempt - 1];
    if (!hasAccepted && (await acceptsNothing(tx, app, account, email, null)))
      await retryEmail(tx, email, text, afterOthers(now), { countsAttempt: false });
    else if (wait === undefined) await failAttempt(tx, app, email, text, now);
    else await retryEmail(tx, email, text, new Date(now.getTime() + wait));
    await recordOutage(tx, app, account, 'unreachable', text);
  });
  return 'stop';
}

/** Releases a permitted email whose account, or connection, was refused. */
async function handleUnconnected(
  app: App,
  account: SendingAccount,
  email: ClaimedEmail,
  failure: ConnectionFailure,
): Promise<Continuation> {
  await app.db.tx(async (tx) => {
    await uncountPermit(tx, account, email);
    await retryEmail(tx, email, failure.text, app.clock.now(), { countsAttempt: false });
  });
  await handleConnectionFailure(app, account, failure);
  return 'stop';
}

/** Subtracts an email from the local day of its permit, which after midnight is no longer today. */
async function uncountPermit(tx: Tx, account: SendingAccount, email: ClaimedEmail): Promise<void> {
  const permittedAt = (await lockEmail(tx, email.id))?.transmitting_at;
  if (permittedAt != null) await uncountEmail(tx, account, permittedAt);
}

/**
 * Makes the email due again at `dueAt`. With `countsAttempt: false` the attempt does not count, because the server's reply was not about
 * this email.
 */
async function retryEmail(tx: Tx, email: ClaimedEmail, text: string, dueAt: Date, options = { countsAttempt: true }): Promise<void> {
  await recordRetry(tx, email.id, text, options.countsAttempt);
  await makeDue(tx, [email.enrolment_id], dueAt);
}

/**
 * Records an attempt that failed for a reason on our side: records the event `failed` and retries in a day. The third such attempt stops
 * the enrolment.
 */
export async function failAttempt(tx: Tx, app: App, email: ClaimedEmail, reason: string, now: Date): Promise<void> {
  const failures = await countFailure(tx, email.enrolment_id, reason);
  await recordEvents(tx, [{ ...eventOf(email, now), type: 'failed', details: { reason } }]);
  if (failures < MAX_OWN_FAILURES) return retryEmail(tx, email, reason, new Date(now.getTime() + DAY));
  await recordFailed(tx, email.id, reason, now);
  await endEnrolments(tx, app, daemon(email.workspace_id), [email.enrolment_id], { status: 'stopped', reason });
}

/** Returns the fields that all events of an email share. */
export const eventOf = (email: ClaimedEmail, at: Date) => ({
  workspaceId: email.workspace_id,
  campaignId: email.campaign_id,
  contactId: email.contact_id,
  enrolmentId: email.enrolment_id,
  stepOrder: email.step_order,
  emailId: email.id,
  at,
});

/** Records `bounced` if replies to the email go to a connected account; campaigns without one have no reply and bounce metrics. */
async function recordBounce(tx: Tx, email: ClaimedEmail, now: Date, reason: string): Promise<void> {
  const [row] = await tx.query<{ connected: boolean }>(sql`
    select ${replyAccountId('c', 'a')} is not null as connected
    from campaigns c join accounts a on a.id = ${email.account_id} where c.id = ${email.campaign_id}`);
  if (row?.connected) await recordEvents(tx, [{ ...eventOf(email, now), type: 'bounced', details: { reason } }]);
}
