import { setTimeout as wait } from 'node:timers/promises';
import { daemon } from '../access/index.ts';
import { type Outcome, openSmtpSession, SmtpSession, TokenRefused, TokenUnavailable } from '../accounts/index.ts';
import type { App } from '../app.ts';
import { disconnectAccount, endEnrolments, isOpen } from '../campaigns/index.ts';
import { SECOND } from '../clock.ts';
import { withAsciiDomain } from '../email-address.ts';
import { messageOf } from '../errors.ts';
import { loadSendingAccount, type SendingAccount, stopUnusable } from './account-state.ts';
import { endBatchLease, keepBatchLease, takeBatchLease } from './batch-lease.ts';
import { loadCampaignStates } from './campaign-states.ts';
import { type ClaimedMail, claimMails, releaseClaims, releaseUnsent } from './claim.ts';
import { untilAnswered } from './database-patience.ts';
import { deliveryLogOf } from './delivery-log.ts';
import { noteBatch, planNextBatch, setNextBatch } from './next-batch.ts';
import type { Permit } from './permit.ts';
import { permitDeskOf } from './permit-desk.ts';
import { type CampaignState, groupOf, planBatch } from './plan.ts';
import { failTry, noteConnectionFailure, settleRefusal } from './refusal.ts';
import { settleUncertain } from './settle.ts';
import { type Decorate, type WrittenMail, writeMails } from './write.ts';

/** What other rooms contribute to a batch, wired by the daemon. */
export interface SendingHooks {
  /** Aborted when the daemon drains: the batch then ends after the mail under way. */
  signal?: AbortSignal;
  /**
   * Sees to it that these mailboxes were read within the poll interval, so that no follow-up crosses a reply.
   * @returns the accounts whose mailbox could not be read
   */
  ensurePolled(app: App, accountIds: readonly number[]): Promise<number[]>;
  decorate: Decorate;
}

export interface BatchReport {
  sent: number;
  /** Mails that were claimed and not sent: given back, refused, held or uncertain. */
  other: number;
}

const NOTHING: BatchReport = { sent: 0, other: 0 };
/** Claims of one statement; a larger batch is claimed in pieces, so that memory stays flat. */
const CLAIM_SIZE = 100;
/** For so long follow-ups wait whose replies can not be read. */
const PUT_OFF = 60 * SECOND;

/**
 * Sends one batch of one account, if one is due: plans it, claims its mails, and hands them to the server one by one,
 * asking before each whether it still may. Only one runs for an account at a time, in all daemons.
 */
export async function runBatch(app: App, accountId: number, hooks: SendingHooks): Promise<BatchReport> {
  const lease = await takeBatchLease(app, accountId);
  if (lease === undefined) return NOTHING;
  try {
    return await sendBatch(app, accountId, lease.wakes, hooks);
  } finally {
    await endBatchLease(app, accountId);
  }
}

async function sendBatch(app: App, accountId: number, wakes: number, hooks: SendingHooks): Promise<BatchReport> {
  const now = app.clock.now();
  const account = await loadSendingAccount(app, accountId);
  if (account === null) {
    await stopUnusable(app, accountId);
    await setNextBatch(app, accountId, wakes, null);
    return NOTHING;
  }
  const campaigns = await loadCampaignStates(app.db, accountId, now, account.batchMax);
  const plan = planBatch(now, account, campaigns, app.random);
  if (plan.shares.length > 0) await noteBatch(app, accountId, now, plan.lastCampaignId);
  await setNextBatch(app, accountId, wakes, plan.nextBatchAt);
  if (plan.shares.length === 0) return NOTHING;

  const report = { ...NOTHING };
  const run = new BatchRun(app, account, campaigns, hooks, report);
  try {
    for (const share of plan.shares) {
      for (let left = share.count; left > 0; ) {
        const mails = await claimMails(app, account, { ...share, count: Math.min(left, CLAIM_SIZE) });
        if (mails.length === 0) break;
        left -= mails.length;
        if (!(await run.send(mails)) || !(await keepBatchLease(app, accountId))) return report;
      }
    }
    return report;
  } finally {
    await run.finish();
    // What was given back or put off is due at its own time; plan again with what is true now.
    await planNextBatch(app, accountId);
  }
}

/** The mails of one batch on their way: one connection, opened with the first mail, and one log of acknowledgements. */
class BatchRun {
  readonly #app: App;
  readonly #account: SendingAccount;
  readonly #campaigns: Map<number, CampaignState>;
  readonly #hooks: SendingHooks;
  readonly #report: BatchReport;
  readonly #log: ReturnType<typeof deliveryLogOf>;
  #session: SmtpSession | undefined;
  #wasPermitted = true;
  /** Mails that certainly were not sent though the database may believe they are being transmitted. */
  readonly #unsent: ClaimedMail[] = [];
  /** Of mailboxes where replies arrive: when it was asked whether they were read, and the answer. */
  readonly #readings = new Map<number, { at: number; isRead: boolean }>();

  constructor(app: App, account: SendingAccount, campaigns: readonly CampaignState[], hooks: SendingHooks, report: BatchReport) {
    this.#app = app;
    this.#campaigns = new Map(campaigns.map((campaign) => [campaign.id, campaign]));
    this.#account = account;
    this.#hooks = hooks;
    this.#report = report;
    this.#log = deliveryLogOf(app);
  }

  /** Sends claimed mails in order. False when the batch must end; what was not tried is given back. */
  async send(mails: readonly ClaimedMail[]): Promise<boolean> {
    const written = await writeMails(this.#app, this.#account, mails, this.#hooks.decorate);
    for (const [index, mail] of written.entries()) {
      const goesOn = await this.#sendOne(mail);
      if (goesOn && this.#hooks.signal?.aborted !== true) continue;
      const rest = written.slice(index + 1).map(({ claim }) => claim);
      await this.#giveBack(rest, this.#app.clock.now());
      return false;
    }
    return true;
  }

  /** Writes down what is known; outlasts a database that is away for a while. */
  async finish(): Promise<void> {
    this.#session?.close();
    await this.#log.flush();
    if (this.#unsent.length > 0) await untilAnswered(this.#app, () => releaseUnsent(this.#app, this.#account, this.#unsent));
  }

  /** The windows again, because a batch with pauses in it can reach over their end. */
  #isOpen(mail: ClaimedMail): boolean {
    const now = this.#app.clock.now();
    const group = groupOf(this.#campaigns.get(mail.campaign_id)?.groups ?? [], mail);
    return group !== undefined && isOpen(this.#account.window, now) && isOpen(group.window, now);
  }

  /** A permit whose answer was lost may have been granted: the mail is remembered as certainly unsent. */
  async #permit(mail: ClaimedMail): Promise<Permit> {
    try {
      return await permitDeskOf(this.#app).ask({ account: this.#account, mail });
    } catch (error) {
      this.#unsent.push(mail);
      throw error;
    }
  }

  /**
   * Whether the mailbox where a reply to the mails before this one may lie was read within the poll interval. Asked again
   * once a second has passed: a batch with pauses in it, or a slow server, lasts longer than that interval.
   */
  async #areAnswersRead({ claim, replyAccountId }: WrittenMail): Promise<boolean> {
    if (!claim.is_follow_up || replyAccountId === null) return true;
    const now = this.#app.clock.now().getTime();
    const known = this.#readings.get(replyAccountId);
    if (known !== undefined && now - known.at < (known.isRead ? SECOND : PUT_OFF)) return known.isRead;
    const isRead = (await this.#hooks.ensurePolled(this.#app, [replyAccountId])).length === 0;
    this.#readings.set(replyAccountId, { at: this.#app.clock.now().getTime(), isRead });
    return isRead;
  }

  async #sendOne(mail: WrittenMail): Promise<boolean> {
    await this.#gap();
    if (!this.#isOpen(mail.claim)) return this.#giveBack([mail.claim], this.#app.clock.now());
    if (mail.problem !== null) return this.#hold(mail.claim, mail.problem);
    if (!(await this.#areAnswersRead(mail))) return this.#giveBack([mail.claim], new Date(this.#app.clock.now().getTime() + PUT_OFF));
    const session = await this.#connect(mail.claim);
    if (session === undefined) return false;
    const asked = this.#permit(mail.claim);
    // The server hears of the mail meanwhile, except after a refusal: the next is likely then, and would cost the connection.
    const outcome = this.#wasPermitted || (await asked) === 'granted' ? await this.#transmit(session, mail, asked) : undefined;
    const permit = await asked;
    this.#wasPermitted = permit === 'granted';
    if (permit === 'granted' && outcome !== undefined) return this.#settle(mail, outcome);
    if (permit === 'lost') return false;
    if (permit === 'suppressed') return this.#stopSuppressed(mail.claim);
    await this.#giveBack([mail.claim], this.#app.clock.now());
    return permit !== 'limit reached';
  }

  /** A server that closed a used connection before it had the mail may only have had enough of it: once more over a new one. */
  async #transmit(session: SmtpSession, mail: WrittenMail, asked: Promise<Permit>): Promise<Outcome> {
    const envelope = { from: withAsciiDomain(this.#account.email), to: mail.recipient };
    const mayGo = async () => (await asked) === 'granted';
    const outcome = await session.send(envelope, mail.message, mayGo);
    const isClosed = outcome.kind === 'unsent' || (outcome.kind === 'refused' && outcome.phase === 'mail' && outcome.code === 421);
    if (!isClosed || !session.isUsed || !(await mayGo())) return outcome;
    const fresh = await openSession(this.#app, this.#account.id);
    if (!(fresh instanceof SmtpSession)) return outcome;
    this.#session = fresh;
    return fresh.send(envelope, mail.message, mayGo);
  }

  async #settle(mail: WrittenMail, outcome: Outcome): Promise<boolean> {
    if (outcome.kind === 'accepted') {
      this.#report.sent++;
      await this.#log.add({ mail: mail.claim, subject: mail.subject, at: this.#app.clock.now(), outcome });
      return true;
    }
    this.#report.other++;
    if (outcome.kind === 'uncertain') {
      await settleUncertain(this.#app, mail.claim, mail.subject, outcome.text);
      return true;
    }
    return (await settleRefusal(this.#app, this.#account, mail.claim, outcome)) === 'continue';
  }

  /** The connection, opened when there is none. Undefined when it can't be had; the mail is given back then. */
  async #connect(mail: ClaimedMail): Promise<SmtpSession | undefined> {
    if (this.#session?.isOpen) return this.#session;
    const opened = await openSession(this.#app, this.#account.id);
    if (opened instanceof SmtpSession) {
      this.#session = opened;
      return opened;
    }
    await this.#giveBack([mail], new Date(this.#app.clock.now().getTime() + 60 * SECOND * 2 ** this.#account.connectionFailures));
    this.#app.log.warn({ account: this.#account.id, reason: opened.message }, 'no SMTP connection');
    if (opened instanceof TokenRefused) await disconnectAccount(this.#app, this.#account.id, opened.message);
    // The mailbox is well where it is the provider's token server that fails.
    else if (!(opened instanceof TokenUnavailable))
      await this.#app.db.tx((tx) => noteConnectionFailure(tx, this.#app, this.#account, opened.message));
    return undefined;
  }

  /** A random pause between two mails of a batch, where the account wants one. */
  async #gap(): Promise<void> {
    if (this.#report.sent === 0 || this.#account.gapMaxSeconds === 0) return;
    await this.#log.flush();
    await wait(this.#app.random.integer(this.#account.gapMinSeconds, this.#account.gapMaxSeconds) * SECOND);
    await keepBatchLease(this.#app, this.#account.id);
  }

  async #giveBack(mails: readonly ClaimedMail[], dueAt: Date): Promise<boolean> {
    this.#report.other += mails.length;
    const ids = mails.map(({ id }) => id);
    await this.#app.db.tx((tx) => releaseClaims(tx, ids, dueAt));
    return true;
  }

  async #hold(mail: ClaimedMail, reason: string): Promise<boolean> {
    this.#report.other++;
    await this.#app.db.tx((tx) => failTry(tx, this.#app, mail, reason, this.#app.clock.now()));
    return true;
  }

  async #stopSuppressed(mail: ClaimedMail): Promise<boolean> {
    this.#report.other++;
    await this.#app.db.tx(async (tx) => {
      await releaseClaims(tx, [mail.id], this.#app.clock.now());
      await endEnrolments(tx, this.#app, daemon(mail.workspace_id), [mail.enrolment_id], { status: 'stopped', reason: 'suppressed' });
    });
    return true;
  }
}

/** A logged-in connection, or why there is none. */
async function openSession(app: App, accountId: number): Promise<SmtpSession | Error> {
  try {
    const opened = await openSmtpSession(app, accountId);
    return opened instanceof SmtpSession ? opened : new Error('text' in opened ? opened.text : 'no connection');
  } catch (error) {
    return error instanceof Error ? error : new Error(messageOf(error));
  }
}
