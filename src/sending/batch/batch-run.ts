import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises';
import type { App } from '../../app.ts';
import { isOpen } from '../../campaigns/index.ts';
import { SECOND } from '../../core/clock.ts';
import type { Outcome } from '../../mail/smtp-session.ts';
import { type ClaimedMail, releaseUnsent } from '../outbox/claim.ts';
import type { Permit } from '../outbox/permit.ts';
import { settleUncertain } from '../outbox/settle.ts';
import { type CampaignState, groupOf } from '../plan/plan.ts';
import type { SendingAccount } from '../state/account-state.ts';
import type { AcceptanceLog } from './acceptance-log.ts';
import { keepBatchLease } from './batch-lease.ts';
import { BatchConnection, noteConnectionLoss } from './connection.ts';
import type { PermitQueue } from './permit-queue.ts';
import { settleRefusal } from './refusal.ts';
import { giveBack, holdMail, stopSuppressed } from './release.ts';
import { AnswersRead } from './reply-check.ts';
import { untilAnswered } from './retry-write.ts';
import { type Decorate, openWriter, type WrittenMail } from './write.ts';

/** What other rooms contribute to a batch, wired by the daemon. */
export interface SendingHooks {
  /**
   * Sees to it that these mailboxes were read within the poll interval, so that no follow-up crosses a reply.
   * @returns the accounts whose mailbox could not be read
   */
  ensurePolled(app: App, accountIds: readonly number[]): Promise<number[]>;
  decorate: Decorate;
}

/** What a batch works with; all batches of a daemon have the same, but for the signal. */
export interface BatchContext {
  app: App;
  hooks: SendingHooks;
  permits: PermitQueue;
  acceptances: AcceptanceLog;
  /** Aborted when the daemon drains: the batch then ends after the email under way. */
  signal: AbortSignal | undefined;
}

/** For so long follow-ups wait whose answers can not be read, and mails for which there is no connection. */
const PUT_OFF = 60 * SECOND;
/** Between two renewals of the batch's lease, which is longer. */
const LONGEST_NAP = 30 * SECOND;

/**
 * The mails of one batch on their way, one after the other over one connection. What may happen to a mail between its
 * claim and its end is all here, in the order in which it is asked; `true` says that the batch goes on with the next.
 */
export class BatchRun {
  sent = 0;
  readonly #context: BatchContext;
  readonly #app: App;
  readonly #account: SendingAccount;
  readonly #campaigns: Map<number, CampaignState>;
  readonly #connection: BatchConnection;
  readonly #answers: AnswersRead;
  #wasPermitted = true;
  /** Mails that certainly were not sent though the database may believe they are being transmitted. */
  readonly #unsent: ClaimedMail[] = [];
  /** Settles when all that the server accepted so far is recorded; rejects when one of these emails could not be. */
  #recorded: Promise<void> = Promise.resolve();

  constructor(context: BatchContext, account: SendingAccount, campaigns: readonly CampaignState[]) {
    const { app, hooks } = context;
    this.#context = context;
    this.#app = app;
    this.#account = account;
    this.#campaigns = new Map(campaigns.map((campaign) => [campaign.id, campaign]));
    this.#connection = new BatchConnection(app, account);
    this.#answers = new AnswersRead(PUT_OFF, (mailbox) => hooks.ensurePolled(app, [mailbox]));
  }

  /**
   * A random pause between two mails of a batch, where the account wants one. False when the batch must end: the daemon
   * drains, or the account went to another one.
   */
  async pause(): Promise<boolean> {
    if (this.sent === 0 || this.#account.gapMaxSeconds === 0) return true;
    await this.#flush();
    const { signal } = this.#context;
    let left = this.#app.random.integer(this.#account.gapMinSeconds, this.#account.gapMaxSeconds) * SECOND;
    for (; left > 0 && signal?.aborted !== true; left -= LONGEST_NAP) {
      await wait(Math.min(left, LONGEST_NAP), undefined, signal && { signal }).catch(() => undefined);
      if (!(await keepBatchLease(this.#app, this.#account.id))) return false;
    }
    return signal?.aborted !== true;
  }

  /** Sends claimed mails in order. False when the batch must end; what was not tried is given back. */
  async send(mails: readonly ClaimedMail[]): Promise<boolean> {
    let left = mails.length;
    try {
      for await (const mail of this.#written(mails)) {
        left--;
        const goesOn = await this.#sendOne(mail);
        if (goesOn && this.#context.signal?.aborted !== true) continue;
        await giveBack(this.#app, mails.slice(mails.length - left));
        return false;
      }
    } catch (error) {
      this.#unsent.push(...mails.slice(mails.length - left));
      throw error;
    }
    return true;
  }

  /** Writes down what is known; outlasts a database that is away for a while. */
  async finish(): Promise<void> {
    this.#connection.close();
    try {
      await this.#flush();
    } finally {
      if (this.#unsent.length > 0) await untilAnswered(this.#app, () => releaseUnsent(this.#app, this.#account, this.#unsent));
    }
  }

  /** Each mail is written while the server and the database have the one before: then there is nothing else to do. */
  async *#written(mails: readonly ClaimedMail[]): AsyncGenerator<WrittenMail> {
    const write = await openWriter(this.#app, this.#account, mails, this.#context.hooks.decorate);
    const writeAhead = async (mail: ClaimedMail) => {
      // After two turns of the event loop both have been asked.
      await turn();
      await turn();
      return write(mail);
    };
    let next: Promise<WrittenMail> | undefined;
    for (const [index, mail] of mails.entries()) {
      const written = await (next ?? write(mail));
      const following = mails[index + 1];
      next = following && writeAhead(following);
      yield written;
    }
  }

  async #sendOne(mail: WrittenMail): Promise<boolean> {
    if (!this.#isOpen(mail.claim)) return this.#putBack(mail.claim);
    if (mail.problem !== null) {
      await holdMail(this.#app, mail.claim, mail.problem);
      return true;
    }
    if (!(await this.#answers.areReadFor(mail, this.#app.clock.now()))) return this.#putBack(mail.claim, PUT_OFF);
    const failure = await this.#connection.open();
    if (failure !== undefined) {
      await this.#putBack(mail.claim, PUT_OFF * 2 ** this.#account.connectionFailures);
      await noteConnectionLoss(this.#app, this.#account, failure);
      return false;
    }
    const asked = this.#permit(mail.claim);
    const mayGo = async () => (await asked) === 'granted';
    // The server hears of the mail meanwhile, except after a refusal: the next is likely then, and would cost the connection.
    const outcome = this.#wasPermitted || (await mayGo()) ? await this.#connection.send(mail, mayGo) : undefined;
    const permit = await asked;
    this.#wasPermitted = permit === 'granted';
    return permit === 'granted' && outcome !== undefined ? this.#settle(mail, outcome) : this.#refused(mail.claim, permit);
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
      return await this.#context.permits.add({ account: this.#account, mail });
    } catch (error) {
      this.#unsent.push(mail);
      throw error;
    }
  }

  async #refused(mail: ClaimedMail, permit: Permit): Promise<boolean> {
    if (permit === 'lost') return false;
    if (permit === 'suppressed') await stopSuppressed(this.#app, mail);
    else await giveBack(this.#app, [mail]);
    return permit !== 'limit reached';
  }

  async #settle(mail: WrittenMail, outcome: Outcome): Promise<boolean> {
    if (outcome.kind === 'accepted') return this.#accept(mail, outcome);
    if (outcome.kind === 'uncertain') {
      await settleUncertain(this.#app, mail.claim, mail.subject, outcome.text);
      return true;
    }
    return (await settleRefusal(this.#app, this.#account, mail.claim, outcome)) === 'continue';
  }

  async #accept(mail: WrittenMail, outcome: Extract<Outcome, { kind: 'accepted' }>): Promise<true> {
    this.sent++;
    const { acceptances } = this.#context;
    const recorded = acceptances.add({ mail: mail.claim, subject: mail.subject, at: this.#app.clock.now(), outcome });
    const before = this.#recorded;
    this.#recorded = recorded.then(() => before);
    // What failed is thrown by the next flush.
    this.#recorded.catch(() => undefined);
    if (acceptances.isFull) await this.#flush();
    return true;
  }

  /** Has all that was accepted recorded now. Throws when an email of this batch could not be. */
  async #flush(): Promise<void> {
    await this.#context.acceptances.flush();
    await this.#recorded;
  }

  async #putBack(mail: ClaimedMail, wait = 0): Promise<boolean> {
    await giveBack(this.#app, [mail], wait);
    return true;
  }
}
