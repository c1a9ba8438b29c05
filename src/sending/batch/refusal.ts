import { daemon } from '../../access/index.ts';
import { countConnectionFailure, countRefusal, refusalsInARow, uncountEmail } from '../../accounts/index.ts';
import type { App } from '../../app.ts';
import { countBounce, endEnrolments, pauseAccountInTx, replyAccountId, suppressInTx } from '../../campaigns/index.ts';
import { DAY, HOUR, MINUTE } from '../../core/clock.ts';
import { sql } from '../../db/statement.ts';
import type { Tx } from '../../db/transaction.ts';
import { recordEvents } from '../../events/index.ts';
import { classifyReply } from '../../mail/replies/classify-reply.ts';
import type { ReplyClass } from '../../mail/replies/reply.ts';
import type { Outcome } from '../../mail/smtp-session.ts';
import type { ClaimedMail } from '../outbox/claim.ts';
import type { SendingAccount } from '../state/account-state.ts';

/** Waits between tries of one mail; after the last it skips to the next day's window. */
const BACKOFF = [15 * MINUTE, HOUR, 4 * HOUR];
const MAX_TRIES_OF_OURS = 3;
const MAX_SOFT_ROUNDS = 3;
/** So many mails refused as unwanted in a row mean that the provider blocks the mailbox. */
const MAX_REFUSALS = 3;
/** So many failed connections or logins in a row mean that somebody must look. */
const MAX_CONNECTION_FAILURES = 5;

/** Whether the batch can go on with its next mail. */
export type Continuation = 'continue' | 'stop';

/**
 * Acts on a mail that the server does not have: retry later, bounce, or pause the account, after the class of the
 * answer (decisions of the field in mail/replies). The step is never used up by a fault that is ours or the account's.
 */
export async function settleRefusal(
  app: App,
  account: SendingAccount,
  mail: ClaimedMail,
  outcome: Extract<Outcome, { kind: 'refused' | 'unsent' | 'unwritable' }>,
): Promise<Continuation> {
  const now = app.clock.now();
  if (outcome.kind === 'unsent') return settleConnectionFailure(app, account, mail, outcome.text, now);
  if (outcome.kind === 'unwritable') return settleUnwritable(app, account, mail, outcome.text, now);
  const { class: kind } = classifyReply({ phase: outcome.phase, code: outcome.code, enhanced: null, text: outcome.text });
  // Before a recipient is named, "later" is said to us: nobody's mailbox is full, nothing counts against the contact.
  if (kind === 'temp' && outcome.phase !== 'rcpt' && outcome.phase !== 'data')
    return settleConnectionFailure(app, account, mail, outcome.text, now, BACKOFF[0]);
  return app.db.tx(async (tx) => {
    await uncountEmail(tx, account, now);
    if (kind === 'block') await countRefusal(tx, account.id);
    return ACTIONS[kind](tx, app, account, mail, outcome.text, now);
  });
}

type Action = (tx: Tx, app: App, account: SendingAccount, mail: ClaimedMail, text: string, now: Date) => Promise<Continuation>;

const ACTIONS: Record<ReplyClass, Action> = {
  async hard(tx, app, account, mail, text, now) {
    await closeMail(tx, mail, text, now);
    const caller = daemon(mail.workspace_id);
    await endEnrolments(tx, app, caller, [mail.enrolment_id], { status: 'bounced', reason: text });
    await recordBounce(tx, mail, now, text);
    await suppressInTx(tx, app, caller, { email: mail.recipient, reason: 'bounce', endAs: 'bounced' });
    return (await countBounce(tx, app, account.id, true)) ? 'stop' : 'continue';
  },

  soft: retrySoftly,
  temp: retrySoftly,

  async limit(tx, app, account, mail, text, now) {
    await retryMail(tx, mail, text, now);
    await pauseAccountInTx(tx, app, daemon(account.workspaceId), account.id, { reason: 'provider_limit', message: text });
    return 'stop';
  },

  async account(tx, app, account, mail, text, now) {
    await retryMail(tx, mail, text, now);
    await pauseAccountInTx(tx, app, daemon(account.workspaceId), account.id, { reason: 'provider_error', message: text });
    return 'stop';
  },

  async block(tx, app, account, mail, text, now) {
    await failTry(tx, app, mail, text, now);
    if ((await refusalsInARow(tx, account.id)) < MAX_REFUSALS) return 'continue';
    await pauseAccountInTx(tx, app, daemon(account.workspaceId), account.id, { reason: 'provider_error', message: text });
    return 'stop';
  },

  async message(tx, app, _account, mail, text, now) {
    await failTry(tx, app, mail, text, now);
    return 'continue';
  },
};

/** The recipient's server says later: 15 minutes, 1 hour, 4 hours, then tomorrow; the third such round counts as a bounce. */
async function retrySoftly(tx: Tx, app: App, account: SendingAccount, mail: ClaimedMail, text: string, now: Date): Promise<Continuation> {
  const wait = BACKOFF[mail.attempt - 1];
  if (wait !== undefined) {
    await retryMail(tx, mail, text, new Date(now.getTime() + wait));
    return 'continue';
  }
  const [row] = await tx.query<{ soft_bounces: number }>(
    sql`update enrolments set soft_bounces = soft_bounces + 1 where id = ${mail.enrolment_id} returning soft_bounces`,
  );
  if ((row?.soft_bounces ?? 0) < MAX_SOFT_ROUNDS) {
    await retryMail(tx, mail, text, new Date(now.getTime() + DAY));
    await tx.query(sql`update outbox set attempt = 0 where id = ${mail.id}`);
    return 'continue';
  }
  await closeMail(tx, mail, text, now);
  await endEnrolments(tx, app, daemon(mail.workspace_id), [mail.enrolment_id], { status: 'bounced', reason: text });
  await recordBounce(tx, mail, now, text);
  return (await countBounce(tx, app, account.id, true)) ? 'stop' : 'continue';
}

/** The server can't be told of this recipient: held like a mail that can't be written. */
async function settleUnwritable(app: App, account: SendingAccount, mail: ClaimedMail, text: string, now: Date): Promise<Continuation> {
  await app.db.tx(async (tx) => {
    await uncountEmail(tx, account, now);
    await failTry(tx, app, mail, text, now);
  });
  return 'continue';
}

async function settleConnectionFailure(
  app: App,
  account: SendingAccount,
  mail: ClaimedMail,
  text: string,
  now: Date,
  wait = 0,
): Promise<Continuation> {
  return app.db.tx(async (tx): Promise<Continuation> => {
    await uncountEmail(tx, account, now);
    await retryMail(tx, mail, text, new Date(now.getTime() + wait), { isOwnTry: false });
    await noteConnectionFailure(tx, app, account, text);
    return 'stop';
  });
}

/** Counts a connection or login that failed; after a few in a row the account is paused with the provider's text. */
export async function noteConnectionFailure(tx: Tx, app: App, account: SendingAccount, text: string): Promise<void> {
  if ((await countConnectionFailure(tx, account.id)) >= MAX_CONNECTION_FAILURES)
    await pauseAccountInTx(tx, app, daemon(account.workspaceId), account.id, { reason: 'provider_error', message: text });
}

/** The mail stays to be sent, from `dueAt` on. A try that never reached the server's answer to it does not count. */
async function retryMail(tx: Tx, mail: ClaimedMail, text: string, dueAt: Date, options = { isOwnTry: true }): Promise<void> {
  await tx.query(sql`
    update outbox set state = 'retry', response = ${text}, worker = null, lease_until = null, attempt = attempt - ${options.isOwnTry ? 0 : 1}
    where id = ${mail.id}`);
  await tx.query(sql`update enrolments set due_at = ${dueAt} where id = ${mail.enrolment_id} and status = 'active'`);
}

async function closeMail(tx: Tx, mail: ClaimedMail, text: string, now: Date): Promise<void> {
  await tx.query(sql`
    update outbox set state = 'failed', response = ${text}, closed_at = ${now}, worker = null, lease_until = null where id = ${mail.id}`);
}

/**
 * One failed try of a mail for a reason that is ours: event `failed`, held for a day with the reason; the third stops
 * the enrolment.
 */
export async function failTry(tx: Tx, app: App, mail: ClaimedMail, reason: string, now: Date): Promise<void> {
  const [row] = await tx.query<{ failures: number }>(
    sql`update enrolments set failures = failures + 1, hold_reason = ${reason} where id = ${mail.enrolment_id} returning failures`,
  );
  await recordEvents(tx, [{ ...eventOf(mail, now), type: 'failed', details: { reason } }]);
  if ((row?.failures ?? 0) < MAX_TRIES_OF_OURS) return retryMail(tx, mail, reason, new Date(now.getTime() + DAY));
  await closeMail(tx, mail, reason, now);
  await endEnrolments(tx, app, daemon(mail.workspace_id), [mail.enrolment_id], { status: 'stopped', reason });
}

const eventOf = (mail: ClaimedMail, at: Date) => ({
  workspaceId: mail.workspace_id,
  campaignId: mail.campaign_id,
  contactId: mail.contact_id,
  enrolmentId: mail.enrolment_id,
  stepOrder: mail.step_order,
  at,
});

/** Bounce events belong to campaigns whose reply address is connected; of others there are no reply and bounce metrics. */
async function recordBounce(tx: Tx, mail: ClaimedMail, now: Date, reason: string): Promise<void> {
  const [row] = await tx.query<{ connected: boolean }>(sql`
    select ${replyAccountId('c', 'a')} is not null as connected
    from campaigns c join accounts a on a.id = c.account_id where c.id = ${mail.campaign_id}`);
  if (row?.connected) await recordEvents(tx, [{ ...eventOf(mail, now), type: 'bounced', details: { reason } }]);
}
