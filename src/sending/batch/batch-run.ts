import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises';
import { keepBatchLease, unrecordBatch } from '../../accounts/index.ts';
import type { App } from '../../app.ts';
import { isOpen } from '../../campaigns/index.ts';
import { SECOND } from '../../core/clock.ts';
import { localDay, zoneOrUtc } from '../../core/zone.ts';
import type { Outcome, SmtpOptions } from '../../mail/smtp-session.ts';
import { type ClaimedEmail, releaseUnsent } from '../email/claim.ts';
import type { Permit, Permits } from '../email/permit.ts';
import { recordUncertainEmail } from '../email/record-outcome.ts';
import type { BatchSlots } from '../plan/batch-slots.ts';
import { type CampaignState, groupOf } from '../plan/campaign-state.ts';
import { gapBetween, hasGap, minuteGap, slowUntil } from '../plan/gap.ts';
import type { SendingAccount } from '../state/account-state.ts';
import { AcceptedEmails, type Recorder } from './accepted-emails.ts';
import { BatchConnection } from './connection.ts';
import { type ConnectionFailure, handleConnectionFailure, recordOutage } from './connection-failure.ts';
import { sendCopies } from './copies.ts';
import { type EmailLinks, emailPreparer, type PreparedEmail } from './prepare-emails.ts';
import { handleRefusal } from './refusal.ts';
import { holdUnprepared, releaseEmails, stopSuppressed } from './release.ts';
import { ReplyMailboxes } from './reply-mailboxes.ts';
import { retryWrite } from './retry-write.ts';

/** Functions of other folders that a batch calls; `main/timetable.ts` passes them in. */
export interface SendingHooks extends EmailLinks {
  /**
   * Polls the mailboxes of these accounts unless they were polled within the poll interval.
   * @returns the accounts whose mailbox is unreadable
   */
  ensurePolled(accountIds: readonly number[]): Promise<number[]>;
}

/** Dependencies of a batch. All batches of a daemon share them, except for the signal. */
export interface BatchContext {
  app: App;
  hooks: SendingHooks;
  permits: Permits;
  recorder: Recorder;
  /** Timeouts of its SMTP connections. */
  timings: Partial<SmtpOptions>;
  /** Aborted when the daemon drains: the batch then ends after the current email. */
  signal: AbortSignal | undefined;
}

/** Delay before retrying a follow-up whose reply mailbox is unreadable. */
const RETRY_DELAY = 60 * SECOND;
/** Longest sleep between two renewals of the batch's lease of 120 s. */
const MAX_SLEEP = 30 * SECOND;

/**
 * Sends the emails of one batch, one after the other over one connection, and handles each from its claim to its recorded outcome. Methods
 * that resolve to a boolean return true if the batch continues with the next email.
 */
export class BatchRun {
  sent = 0;
  readonly #context: BatchContext;
  readonly #app: App;
  readonly #account: SendingAccount;
  readonly #slots: BatchSlots;
  #campaigns = new Map<number, CampaignState>();
  readonly #connection: BatchConnection;
  readonly #replyMailboxes: ReplyMailboxes;
  #wasPermitted = true;
  /** Emails handed to the server, whatever it answered. */
  #submitted = 0;
  /** Emails that were released without a permit, for example because their campaign was paused a moment ago. */
  #refusedPermits = 0;
  /** True if the previous batch may have sent its last email a moment ago. */
  readonly #isRightAfterAnother: boolean;
  /** Emails that were certainly not sent, although the database may show them as `transmitting`. */
  readonly #unsent: ClaimedEmail[] = [];
  readonly #accepted: AcceptedEmails;

  constructor(context: BatchContext, account: SendingAccount, slots: BatchSlots) {
    const { app, hooks } = context;
    this.#context = context;
    this.#app = app;
    this.#account = account;
    this.#slots = slots;
    this.#connection = new BatchConnection(app, account, { ...context.timings, ...(context.signal && { stopping: context.signal }) });
    this.#accepted = new AcceptedEmails(context.recorder);
    this.#isRightAfterAnother = (slowUntil(account) ?? 0) > app.clock.now();
    this.#replyMailboxes = new ReplyMailboxes((accountId) => hooks.ensurePolled([accountId]), RETRY_DELAY);
  }

  /** Sets the campaigns, with their windows, of the next emails. */
  setCampaigns(campaigns: readonly CampaignState[]): void {
    this.#campaigns = new Map(campaigns.map((campaign) => [campaign.id, campaign]));
  }

  /**
   * Sleeps between two emails if the account has a gap or a limit per minute, and before the first email if the previous batch may
   * just have ended. Returns false if the batch must end, because the daemon is draining or another one holds the account's lease.
   */
  async pause(): Promise<boolean> {
    if (!hasGap(this.#account) || (this.#submitted === 0 && !this.#isRightAfterAnother)) return true;
    await this.#accepted.flush();
    return this.#sleep(this.#submitted === 0 ? minuteGap(this.#account) : gapBetween(this.#account, this.#app.random));
  }

  /** Sleeps and renews the lease. Returns false if the batch must end. Does not sleep while the daemon drains. */
  async #sleep(milliseconds: number): Promise<boolean> {
    const { signal } = this.#context;
    for (let left = milliseconds; left > 0 && signal?.aborted !== true; left -= MAX_SLEEP) {
      await wait(Math.min(left, MAX_SLEEP), undefined, signal && { signal }).catch(() => undefined);
      if (!(await keepBatchLease(this.#app, this.#account.id))) return false;
    }
    return signal?.aborted !== true;
  }

  /** Sends claimed emails in order. Returns false if the batch must end; emails not attempted are released. */
  async send(emails: readonly ClaimedEmail[]): Promise<boolean> {
    let left = emails.length;
    try {
      for await (const email of this.#prepared(emails)) {
        left--;
        const canContinue = await this.#sendOne(email);
        if (canContinue && this.#context.signal?.aborted !== true) continue;
        await releaseEmails(this.#app, emails.slice(emails.length - left));
        return false;
      }
    } catch (error) {
      this.#unsent.push(...emails.slice(emails.length - left));
      throw error;
    }
    return true;
  }

  /** Closes the connection and records all outcomes, retrying through a database outage of minutes. */
  async finish(): Promise<void> {
    this.#connection.close();
    try {
      await this.#accepted.flush();
      // A campaign that was paused right after its activation has sent nothing; when activated again, it must not wait for the interval.
      if (this.#submitted === 0 && this.#refusedPermits > 0) await unrecordBatch(this.#app, this.#account.id, this.#account);
    } finally {
      if (this.#unsent.length > 0) await retryWrite(this.#app, () => releaseUnsent(this.#app, this.#account, this.#unsent));
    }
  }

  /** Prepares each email while the server and the database handle the previous one. */
  async *#prepared(emails: readonly ClaimedEmail[]): AsyncGenerator<PreparedEmail> {
    const prepare = await emailPreparer(this.#app, this.#account, emails, this.#context.hooks);
    const prepareAhead = async (email: ClaimedEmail) => {
      // After two turns of the event loop, the requests for the previous email have gone out to the server and the database.
      await turn();
      await turn();
      return prepare(email);
    };
    let next: Promise<PreparedEmail> | undefined;
    for (const [index, email] of emails.entries()) {
      const prepared = await (next ?? prepare(email));
      const following = emails[index + 1];
      next = following && prepareAhead(following);
      yield prepared;
    }
  }

  async #sendOne(email: PreparedEmail): Promise<boolean> {
    if (!this.#isOpen(email.claim)) {
      await releaseEmails(this.#app, [email.claim]);
      return true;
    }
    if (email.problem !== null) {
      this.#slots.exclude(email.claim.campaign_id);
      await holdUnprepared(this.#app, email.claim, email.problem);
      return true;
    }
    if (!(await this.#replyMailboxes.areReadFor(email, this.#app.clock.now()))) {
      this.#slots.excludeFollowUps(email.claim.campaign_id);
      await releaseEmails(this.#app, [email.claim], RETRY_DELAY);
      return true;
    }
    const failure = await this.#connection.open();
    if (failure !== undefined) {
      await releaseEmails(this.#app, [email.claim]);
      // The account waits for the pause after the failure, not for the interval after a batch.
      if (this.#submitted === 0) await unrecordBatch(this.#app, this.#account.id, this.#account);
      await handleConnectionFailure(this.#app, this.#account, failure);
      return false;
    }
    const requested = this.#permit(email);
    const isPermitted = async () => (await requested) === 'granted';
    // The envelope is sent meanwhile, except after a refused permit: another refusal is likely then, and would cost the connection.
    const outcome = this.#wasPermitted || (await isPermitted()) ? await this.#connection.send(email, isPermitted) : undefined;
    const permit = await requested;
    this.#wasPermitted = permit === 'granted';
    return permit === 'granted' && outcome !== undefined ? this.#handleOutcome(email, outcome) : this.#release(email.claim, permit);
  }

  /** Checks the windows again, since a batch with gaps can outlast them. */
  #isOpen(email: ClaimedEmail): boolean {
    const now = this.#app.clock.now();
    const campaign = this.#campaigns.get(email.campaign_id);
    const group = groupOf(campaign?.groups ?? [], email);
    if (group === undefined) this.#slots.exclude(email.campaign_id);
    // An email claimed before midnight counts against the limits of the previous day.
    const counts = email.counts_on === null || email.counts_on === localDay(now, zoneOrUtc(campaign?.timezone ?? 'UTC'));
    return counts && group !== undefined && isOpen(this.#account.window, now) && isOpen(group.window, now);
  }

  /** Requests a permit. If the database's reply is lost, it may have been granted, so the email is noted as certainly unsent. */
  async #permit({ claim, subject, content, replyAccountId }: PreparedEmail): Promise<Permit> {
    try {
      return await this.#context.permits.add({
        account: this.#account,
        email: { ...claim, subject, content, replyAccountId },
        message: null,
      });
    } catch (error) {
      this.#unsent.push(claim);
      throw error;
    }
  }

  /** Releases an email without a permit. If the claim is lost, the email belongs to another worker. */
  async #release(email: ClaimedEmail, permit: Permit): Promise<boolean> {
    if (permit === 'lost') return false;
    this.#refusedPermits++;
    if (permit === 'suppressed') await stopSuppressed(this.#app, email);
    else {
      this.#slots.exclude(email.campaign_id);
      await releaseEmails(this.#app, [email]);
    }
    return permit !== 'limit reached';
  }

  async #handleOutcome(email: PreparedEmail, outcome: Outcome | ConnectionFailure): Promise<boolean> {
    this.#slots.use(email.claim.campaign_id);
    this.#submitted++;
    if (outcome.kind === 'accepted') {
      this.sent++;
      try {
        await this.#accepted.add({ email: email.claim, subject: email.subject, at: this.#app.clock.now(), outcome });
      } finally {
        await sendCopies(this.#app, this.#connection, email, () => this.#sleep(minuteGap(this.#account)));
      }
      return true;
    }
    if (outcome.kind === 'uncertain') {
      await recordUncertainEmail(this.#app, email.claim, email.subject, outcome.text);
      // The delivery of the next email would be unknown for the same reason.
      await this.#app.db.tx((tx) => recordOutage(tx, this.#app, this.#account, 'unreachable', outcome.text));
      return false;
    }
    return (await handleRefusal(this.#app, this.#account, email.claim, outcome, this.sent > 0)) === 'continue';
  }
}
