import { type Caller, recipient } from '../access/index.ts';
import type { App } from '../app.ts';
import {
  countBounce,
  type EndStatus,
  endEnrolments,
  followReply,
  holdEnrolment,
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
import { learnProviderId } from '../outbox/index.ts';
import { holdUntil } from './absence.ts';
import { type Effect, effectOf, type Facts, isFormerAddress } from './effect.ts';
import { copiedAddress, providerIdIn } from './evidence.ts';
import type { Match, Reading } from './match.ts';
import { storable } from './storable.ts';
import { isThirdInARow } from './third-in-a-row.ts';

const MAX_SNIPPET = 500;
/** Most of a reply that a webhook is sent if it asks for whole replies. */
const MAX_BODY = 20_000;

/** The strength of a message against others of its poll, by its effect. */
const STRENGTH: Record<Effect['enrolment'], Strength> = {
  ...{ kept: 'bounce', held: 'bounce', bounced: 'bounce', bounced_third: 'bounce' },
  ...{ left: 'stop', stopped_third: 'stop', replied: 'reply', stopped: 'removal' },
};

/** A message that was read. */
export interface Arrival {
  reading: Omit<Reading, 'match' | 'messageId' | 'content'>;
  match: Match;
  /** The reply that it is; null for a bounce or complaint. */
  replyId: number | null;
  /** The enrolments that messages of the same poll have ended so far. */
  ends: PollEnds;
}

/** Applies the effect of a message to the enrolment that it is about, in the transaction that records the message. */
export async function actOn(tx: Tx, app: App, arrival: Arrival): Promise<void> {
  const { reading, match } = arrival;
  const providerId = providerIdIn(reading.result, match, match.writer);
  if (providerId !== null) await learnProviderId(tx, match.email.outboxId, providerId);
  await new Change(tx, app, arrival, effectOf(factsOf(arrival)), recipient(match.email.workspaceId, null)).apply();
}

/** Applies the effect of a reply as `caller` has corrected it, as of the time when it came in. @param isLogged false where its events stand */
export async function redo(tx: Tx, app: App, arrival: Arrival, caller: Caller, cameAt: Date, isLogged: boolean): Promise<void> {
  const effect = effectOf(factsOf(arrival));
  await new Change(tx, app, arrival, isLogged ? effect : { ...effect, events: [] }, caller, cameAt).apply();
}

const factsOf = ({ reading: { result }, match: { proof, writer, email } }: Arrival): Facts => ({
  ...result,
  ...{ proof, writer, isFormerAddress: isFormerAddress(email), isTracked: email.isTracked, isAnswer: email.isAnswer },
});

/** The changes that one message makes to one enrolment. */
class Change {
  readonly #caller: Caller;
  readonly #tx: Tx;
  readonly #app: App;
  readonly #ends: PollEnds;
  readonly #reading: Arrival['reading'];
  readonly #match: Match;
  readonly #replyId: number | null;
  readonly #effect: Effect;
  /** From when an absence counts. */
  readonly #cameAt: Date;

  constructor(tx: Tx, app: App, { ends, reading, match, replyId }: Arrival, effect: Effect, caller: Caller, cameAt = app.clock.now()) {
    this.#tx = tx;
    this.#app = app;
    this.#ends = ends;
    this.#reading = reading;
    this.#match = match;
    this.#replyId = replyId;
    this.#effect = effect;
    this.#caller = caller;
    this.#cameAt = cameAt;
  }

  async apply(): Promise<void> {
    const { enrolment, pauses, isUnwanted } = this.#effect;
    if (this.#match.writer === 'copied') return this.#forgetCopy();
    if (pauses !== null) await this.#pauseSender(pauses);
    // Several notices may return one email.
    if (isUnwanted && !(await this.#isLogged('failed')))
      await pauseUnwanted(this.#tx, this.#app, this.#match.email.workspaceId, this.#match.email.senderId, this.#words);
    switch (enrolment) {
      case 'replied':
        await this.#log();
        await this.#end('replied');
        await followReply(this.#tx, this.#app, this.#caller, this.#match.email.enrolmentId, this.#precedence);
        await stopCompany(this.#tx, this.#app, this.#caller, this.#match.email.enrolmentId, this.#precedence);
        return;
      case 'stopped':
        return this.#leave();
      case 'left':
        await this.#end('stopped', 'left_company');
        return;
      case 'held':
        return this.#hold();
      case 'bounced':
      case 'kept':
        return this.#bounce();
      case 'bounced_third':
      case 'stopped_third':
        return this.#return(enrolment === 'bounced_third' ? 'bounced' : 'stopped');
    }
  }

  /** Logs the events of the effect; `bounced` and `failed` once for each email, however many reports of it arrive. */
  async #log(types = this.#effect.events): Promise<void> {
    for (const type of types) {
      const isOfEmail = type === 'bounced' || type === 'failed';
      if (isOfEmail && (await this.#isLogged(type))) continue;
      if (isOfEmail) await this.#record(type, this.#match.email.step, this.#match.email.outboxId);
      else await this.#record(type, this.#match.email.lastStep);
    }
  }

  #record(type: EventType, stepOrder: number, emailId?: number): Promise<void> {
    const { workspaceId, campaignId, contactId, enrolmentId } = this.#match.email;
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

  get #precedence() {
    return { ends: this.#ends, strength: STRENGTH[this.#effect.enrolment], replyId: this.#replyId };
  }

  async #end(status: EndStatus, reason?: string): Promise<boolean> {
    const to = { status, precedence: this.#precedence, ...(reason === undefined ? {} : { reason }) };
    return (await endEnrolments(this.#tx, this.#app, this.#caller, [this.#match.email.enrolmentId], to)).length > 0;
  }

  /**
   * Ends every enrolment of the address, and of the contact's present one. A contact who asks for it after the last step has
   * replied.
   */
  async #leave(): Promise<void> {
    const isRequest = this.#reading.result.verdict === 'unsubscribe_request';
    const reason = isRequest ? 'asked to be removed' : 'complained';
    await this.#log();
    const isStopped = await this.#end('stopped', reason);
    if (!isStopped && isRequest && this.#match.writer !== 'colleague') await this.#end('replied');
    await this.#suppress(reason, 'stopped');
    if (isFormerAddress(this.#match.email)) await this.#suppress(reason, 'stopped', this.#match.email.contactEmail);
  }

  /** Sends no more copies to an address that asked for it, or that does not exist. */
  async #forgetCopy(): Promise<void> {
    const address = copiedAddress(this.#reading.mail, this.#reading.result, this.#match.email);
    const isBounce = this.#reading.result.verdict === 'hard_bounce';
    if (address === undefined) return;
    const isRequest = this.#reading.result.verdict === 'unsubscribe_request';
    await this.#suppress(isBounce ? 'bounce' : isRequest ? 'asked to be removed' : 'complained', isBounce ? 'bounced' : 'stopped', address);
  }

  async #hold(): Promise<void> {
    const { workspaceId, enrolmentId, timezone, isQuotable } = this.#match.email;
    const until = holdUntil(this.#reading.result.until, this.#cameAt, zoneOrUtc(timezone));
    // Over before it was known to be one.
    if (until <= this.#app.clock.now()) return;
    const reason = `automatic reply${isQuotable ? `: ${storable(this.#reading.mail.subject, 200)}` : ''}`;
    // In the contact's name: a correction by a person shortens no hold either.
    await holdEnrolment(this.#tx, this.#app, recipient(workspaceId, null), enrolmentId, { until, reason, replyId: this.#replyId });
  }

  /** Bounced for good. After a change of the contact's address only the former one is suppressed. */
  async #bounce(): Promise<void> {
    const isRepeated = await this.#isLogged('bounced');
    await this.#log();
    const isEnded = this.#effect.enrolment === 'bounced' && (await this.#end('bounced', this.#reading.result.reasons.at(-1)));
    await this.#count(this.#match.email.isTracked ? !isRepeated : isEnded);
    await this.#suppress('bounce', 'bounced');
  }

  /** Came back, and not for good: the third in a row ends the sequence. */
  async #return(status: 'bounced' | 'stopped'): Promise<void> {
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

  /** Pauses the account that sent the email: its provider says, after accepting it, that it may not send now. */
  async #pauseSender(reason: 'provider_limit' | 'provider_error'): Promise<void> {
    const { senderId, workspaceId } = this.#match.email;
    const message = this.#words;
    // A notice comes from anybody, so it reaches no other workspace.
    if (statesTenantLimit(this.#reading.result.status ?? '')) await pauseTenant(this.#tx, this.#app, senderId, message, workspaceId);
    else await pauseForProvider(this.#tx, this.#app, this.#caller, senderId, { reason, message });
  }

  get #words(): string {
    return this.#reading.result.reasons.join('; ');
  }

  /** True when the event is logged for this email. */
  #isLogged(type: EventType): Promise<boolean> {
    return wasLogged(this.#tx, this.#match.email.enrolmentId, type, this.#match.email.step);
  }
}
