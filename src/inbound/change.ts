import type { Caller } from '../access/index.ts';
import type { App } from '../app.ts';
import {
  countBounce,
  type EndStatus,
  endEnrolments,
  enrolmentsOfAddress,
  followReply,
  holdEverywhere,
  type PollEnds,
  pauseForProvider,
  pauseTenant,
  pauseUnwanted,
  type Strength,
  stopCompany,
  suppressInTx,
} from '../campaigns/index.ts';
import type { EventType } from '../core/event-types.ts';
import { zoneOrUtc } from '../core/zone.ts';
import type { Tx } from '../db/transaction.ts';
import { recordEvents, wasLogged } from '../events/index.ts';
import { statesTenantLimit } from '../mail/replies/sender-limits.ts';
import { holdUntil } from './absence.ts';
import { type Effect, isFormerAddress } from './effect.ts';
import type { Candidate } from './evidence.ts';
import type { Arrival, Match } from './match.ts';
import { storable } from './storable.ts';
import { isThirdInARow } from './third-in-a-row.ts';

/** Suppression reason. */
const REMOVAL = 'asked to be removed';
const MAX_SNIPPET = 500;
/** Maximum length of a reply in webhook messages with whole replies. */
const MAX_BODY = 20_000;

/** The strength of a message relative to others of the same poll, by its effect. */
const STRENGTH: Record<Effect['enrolment'], Strength> = {
  ...{ kept: 'bounce', held: 'bounce', bounced: 'bounce', bounced_third: 'bounce' },
  ...{ left: 'stop', stopped_third: 'stop', replied: 'reply', stopped: 'removal' },
};

/** The changes that one message makes to one enrolment. */
export class Change {
  readonly #caller: Caller;
  readonly #tx: Tx;
  readonly #app: App;
  readonly #ends: PollEnds;
  readonly #reading: Arrival['reading'];
  readonly #match: Match;
  readonly #replyId: number | null;
  readonly #effect: Effect;
  /** Arrival time, from which an absence counts. */
  readonly #receivedAt: Date;

  constructor(tx: Tx, app: App, { ends, reading, match, replyId }: Arrival, effect: Effect, caller: Caller, receivedAt = app.clock.now()) {
    this.#tx = tx;
    this.#app = app;
    this.#ends = ends;
    this.#reading = reading;
    this.#match = match;
    this.#replyId = replyId;
    this.#effect = effect;
    this.#caller = caller;
    this.#receivedAt = receivedAt;
  }

  async apply(): Promise<void> {
    const { pauses, isUnwanted, isReply } = this.#effect;
    if (this.#match.writer === 'copied') await this.#stopCopies();
    else {
      if (pauses !== null) await this.#pauseSender(pauses);
      // Several bounces may return the same email.
      if (isUnwanted && !(await this.#isLogged('failed')))
        await pauseUnwanted(this.#tx, this.#app, this.#match.email.workspaceId, this.#match.email.senderId, this.#words);
      await this.#change();
      if (isReply) await this.#followReply(this.#match.email.enrolmentId);
    }
    await this.#endAuthor();
  }

  async #change(): Promise<void> {
    const { enrolment } = this.#effect;
    switch (enrolment) {
      case 'replied':
        await this.#log();
        return void (await this.#end('replied'));
      case 'stopped':
        return this.#removePerson();
      case 'left':
        return void (await this.#end('stopped', 'left_company'));
      case 'held':
        return this.#hold();
      case 'bounced':
      case 'kept':
        return this.#bounce();
      case 'bounced_third':
      case 'stopped_third':
        return this.#bounceThird(enrolment === 'bounced_third' ? 'bounced' : 'stopped');
    }
  }

  async #followReply(enrolmentId: number): Promise<void> {
    await followReply(this.#tx, this.#app, this.#caller, enrolmentId, this.#precedence);
    await stopCompany(this.#tx, this.#app, this.#caller, enrolmentId, this.#precedence);
  }

  /**
   * Ends the author's own enrolments: a contact who replies in somebody else's thread has also replied to their own emails, and an author
   * who unsubscribes there is never emailed again.
   */
  async #endAuthor(): Promise<void> {
    const { sender, email } = this.#match;
    const { author } = this.#effect;
    const isRequest = this.#reading.result.verdict === 'unsubscribe_request';
    if (sender === null || (author === null && !isRequest)) return;
    const own = author === null ? [] : await enrolmentsOfAddress(this.#tx, email.enrolmentId, sender);
    const strength = isRequest ? 'removal' : 'reply';
    for (const enrolment of own) {
      const { id } = enrolment;
      for (const type of author ?? []) await this.#record(type, { ...enrolment, enrolmentId: id });
      const isStopped = isRequest && (await this.#endOf(id, strength, 'stopped', REMOVAL));
      if (!isStopped) await this.#endOf(id, strength, 'replied');
    }
    if (isRequest) await this.#suppress(REMOVAL, 'stopped', sender);
    for (const { id } of own) await this.#followReply(id);
  }

  /** Records the events of the effect. `bounced` and `failed` are recorded once for each email, however many reports arrive. */
  async #log(types = this.#effect.events): Promise<void> {
    for (const type of types) {
      const isOfEmail = type === 'bounced' || type === 'failed';
      if (isOfEmail && (await this.#isLogged(type))) continue;
      const { step, outboxId } = this.#match.email;
      await this.#record(type, isOfEmail ? { ...this.#match.email, lastStep: step } : this.#match.email, isOfEmail ? outboxId : undefined);
    }
  }

  #record(type: EventType, of: Pick<Candidate, 'campaignId' | 'contactId' | 'enrolmentId' | 'lastStep'>, emailId?: number): Promise<void> {
    const { workspaceId } = this.#match.email;
    const { campaignId, contactId, enrolmentId, lastStep: stepOrder } = of;
    const { reasons, ownText } = this.#reading.result;
    const isQuoted = type === 'replied' && this.#match.email.isQuotable;
    const words = isQuoted ? { snippet: storable(ownText, MAX_SNIPPET), body: storable(ownText, MAX_BODY) } : { snippet: null };
    const { proof, writer } = this.#match;
    const reply = this.#replyId === null ? {} : { reply_id: this.#replyId };
    const details = { proof, writer, reasons: reasons.map((reason) => storable(reason, MAX_SNIPPET)), ...reply, ...words };
    return recordEvents(this.#tx, [
      { workspaceId, campaignId, contactId, enrolmentId, type, stepOrder, emailId, at: this.#app.clock.now(), details },
    ]);
  }

  get #strength(): Strength {
    const { verdict } = this.#reading.result;
    return verdict === 'unsubscribe_request' || verdict === 'feedback_report' ? 'removal' : STRENGTH[this.#effect.enrolment];
  }

  get #precedence() {
    return { ends: this.#ends, strength: this.#strength, replyId: this.#replyId };
  }

  async #end(status: EndStatus, reason?: string): Promise<boolean> {
    return this.#endOf(this.#match.email.enrolmentId, this.#strength, status, reason);
  }

  async #endOf(id: number, strength: Strength, status: EndStatus, reason?: string): Promise<boolean> {
    const to = { status, precedence: { ...this.#precedence, strength }, ...(reason === undefined ? {} : { reason }) };
    return (await endEnrolments(this.#tx, this.#app, this.#caller, [id], to)).length > 0;
  }

  /**
   * Suppresses the address, and the contact's current address if it has changed, which ends all their enrolments. If this enrolment has
   * already ended with its last step, an unsubscribe request ends it as replied.
   */
  async #removePerson(): Promise<void> {
    const isRequest = this.#reading.result.verdict === 'unsubscribe_request';
    const reason = isRequest ? REMOVAL : 'complained';
    await this.#log();
    const isStopped = await this.#end('stopped', reason);
    if (!isStopped && isRequest) await this.#end('replied');
    await this.#suppress(reason, 'stopped');
    if (isFormerAddress(this.#match.email)) await this.#suppress(reason, 'stopped', this.#match.email.contactEmail);
  }

  /** Suppresses the address of a copy that opted out, complained or does not exist. */
  async #stopCopies(): Promise<void> {
    const { copy } = this.#match;
    const { verdict } = this.#reading.result;
    if (copy === null) return;
    if (verdict === 'hard_bounce') await this.#suppress('bounce', 'bounced', copy);
    else await this.#suppress(verdict === 'unsubscribe_request' ? REMOVAL : 'complained', 'stopped', copy);
  }

  /** Holds all active enrolments of the absent contact in the workspace, and those created before the absence ends. */
  async #hold(): Promise<void> {
    const { enrolmentId, timezone, isQuotable } = this.#match.email;
    const until = holdUntil(this.#reading.result.until, this.#receivedAt, zoneOrUtc(timezone));
    // The absence was already over when a user reclassified the reply.
    if (until <= this.#app.clock.now()) return;
    const reason = `auto-reply${isQuotable ? ` "${storable(this.#reading.mail.subject, 200)}"` : ''}`;
    await holdEverywhere(this.#tx, this.#app, enrolmentId, { until, reason, replyId: this.#replyId });
  }

  /** Handles a permanent bounce. If the contact's address has changed, only the former address is suppressed. */
  async #bounce(): Promise<void> {
    const isRepeated = await this.#isLogged('bounced');
    await this.#log();
    const isEnded = this.#effect.enrolment === 'bounced' && (await this.#end('bounced', this.#reading.result.reasons.at(-1)));
    await this.#count(this.#match.email.isTracked ? !isRepeated : isEnded);
    await this.#suppress('bounce', 'bounced');
  }

  /** Handles a temporary bounce. The third in a row ends the sequence. */
  async #bounceThird(status: 'bounced' | 'stopped'): Promise<void> {
    if (status === 'stopped') await this.#log();
    const { enrolmentId, outboxId } = this.#match.email;
    if (!(await isThirdInARow(this.#tx, enrolmentId, outboxId))) return;
    const isRepeated = await this.#isLogged('bounced');
    if (status === 'bounced') await this.#log();
    const isEnded = await this.#end(status, this.#reading.result.reasons.at(-1));
    if (status === 'bounced') await this.#count(this.#match.email.isTracked ? !isRepeated : isEnded);
  }

  async #count(isNew: boolean): Promise<void> {
    if (isNew && this.#effect.isCounted) await countBounce(this.#tx, this.#app, this.#match.email.senderId, false);
  }

  async #suppress(reason: string, endAs: 'stopped' | 'bounced', email = this.#match.email.recipient): Promise<void> {
    const { suppression } = this.#effect;
    if (suppression === 'nowhere') return;
    const end = { endAs, precedence: this.#precedence };
    await suppressInTx(this.#tx, this.#app, this.#caller, { email, reason, workspaceOnly: suppression === 'workspace', ...end });
  }

  /** Pauses the account that sent the email, because its provider reports, after accepting the email, that it may not send now. */
  async #pauseSender(reason: 'provider_limit' | 'provider_error'): Promise<void> {
    const { senderId, workspaceId } = this.#match.email;
    const message = this.#words;
    // Anybody could have sent this report, so it must not affect other workspaces.
    if (statesTenantLimit(this.#reading.result.status ?? '')) await pauseTenant(this.#tx, this.#app, senderId, message, workspaceId);
    else await pauseForProvider(this.#tx, this.#app, this.#caller, senderId, { reason, message });
  }

  get #words(): string {
    return this.#reading.result.reasons.join('; ');
  }

  #isLogged(type: EventType): Promise<boolean> {
    return wasLogged(this.#tx, this.#match.email.outboxId, type);
  }
}
