import { recipient } from '../access/index.ts';
import { isAccountActive, type Poll } from '../accounts/index.ts';
import type { App } from '../app.ts';
import {
  countBounce,
  type EndStatus,
  endEnrolments,
  holdEnrolment,
  MAX_SOFT_BOUNCES,
  pauseAccountInTx,
  stopCompany,
  suppressInTx,
} from '../campaigns/index.ts';
import { DAY } from '../core/clock.ts';
import { atLocalTime, zoneOrUtc } from '../core/zone.ts';
import { sql } from '../db/statement.ts';
import type { Tx } from '../db/transaction.ts';
import { type EventType, recordEvents } from '../events/index.ts';
import type { Classification, Verdict } from '../mail/classify/index.ts';
import type { ReplyClass } from '../mail/replies/reply.ts';
import { acceptedSince } from '../outbox/index.ts';
import type { Match, Reading } from './match.ts';
import { storable } from './storable.ts';

/** How long an absence is taken to last that names no day of return. */
const DAYS_AWAY = 7;
const MAX_SNIPPET = 500;
/** As much as a webhook that asks for whole replies can be told. */
const MAX_BODY = 20_000;
/** Bounces that blame us, and not the recipient. */
const OUR_FAULT: readonly ReplyClass[] = ['block', 'message', 'limit', 'account'];

/**
 * Of two facts that one poll finds the stronger decides, whichever was read first: a request to be removed before a reply,
 * that before a stop, that before a bounce. What each takes the place of, where the order of arrival alone would not, and
 * by which messages that end may have come.
 */
const OVERRULED: Partial<Record<Verdict, readonly [EndStatus, by: readonly Verdict[]][]>> = {
  unsubscribe_request: [
    ['replied', ['reply']],
    ['bounced', ['hard_bounce', 'soft_bounce']],
  ],
  feedback_report: [['bounced', ['hard_bounce', 'soft_bounce']]],
  reply: [['stopped', ['soft_bounce']]],
};
/** Who was stopped by their own wish stays so. */
const REMOVALS: readonly Verdict[] = ['unsubscribe_request', 'feedback_report'];

/** Lets a message have its effect on the enrolment that it is about. What it changes is written with it or not at all. */
export async function actOn(tx: Tx, app: App, poll: Poll, { mail, result }: Reading, match: Match): Promise<void> {
  // A colleague wrote into the thread: kept with it, and no more.
  if (match.by === 'colleague') return;
  const effect = new Effect(tx, app, poll, match, result);
  switch (result.verdict) {
    case 'reply':
      await effect.log('replied', match.lastStep);
      await effect.end('replied');
      await stopCompany(tx, app, effect.caller, match.enrolmentId);
      return;
    case 'unsubscribe_request':
      await effect.log('replied', match.lastStep);
      return effect.leave('asked to be removed');
    case 'feedback_report':
      return result.isComplaint ? effect.leave('complained') : undefined;
    case 'auto_reply': {
      const until = holdUntil(result.until, app.clock.now(), zoneOrUtc(match.timezone));
      const reason = `automatic reply: ${storable(mail.subject, 200)}`;
      await holdEnrolment(tx, app, effect.caller, match.enrolmentId, until, reason);
      return;
    }
    case 'hard_bounce':
      return effect.bounce();
    case 'soft_bounce':
      return effect.returned();
  }
}

/** The changes that one message makes to one enrolment. */
class Effect {
  readonly caller;
  readonly #tx: Tx;
  readonly #app: App;
  readonly #poll: Poll;
  readonly #match: Match;
  readonly #result: Classification;

  constructor(tx: Tx, app: App, poll: Poll, match: Match, result: Classification) {
    this.#tx = tx;
    this.#app = app;
    this.#poll = poll;
    this.#match = match;
    this.#result = result;
    this.caller = recipient(match.workspaceId, null);
  }

  log(type: EventType, stepOrder: number): Promise<void> {
    const { workspaceId, campaignId, contactId, enrolmentId, by } = this.#match;
    const { reasons, ownText } = this.#result;
    const words = type === 'replied' ? { snippet: storable(ownText, MAX_SNIPPET), body: storable(ownText, MAX_BODY) } : { snippet: null };
    const details = { by, reasons: reasons.map((reason) => storable(reason, MAX_SNIPPET)), ...words };
    return recordEvents(this.#tx, [
      { workspaceId, campaignId, contactId, enrolmentId, type, stepOrder, at: this.#app.clock.now(), details },
    ]);
  }

  async end(status: EndStatus, reason?: string): Promise<boolean> {
    const replaces = { statuses: await this.#overruled(), since: this.#poll.since };
    const to = { status, replaces, ...(reason === undefined ? {} : { reason }) };
    return (await endEnrolments(this.#tx, this.#app, this.caller, [this.#match.enrolmentId], to)).length > 0;
  }

  /** Ends that other messages of this poll may have made and that this one takes the place of. */
  async #overruled(): Promise<EndStatus[]> {
    const weaker = OVERRULED[this.#result.verdict];
    if (weaker === undefined) return [];
    const rows = await this.#tx.query<{ verdict: Verdict }>(sql`
      select distinct verdict from inbound_messages where enrolment_id = ${this.#match.enrolmentId}
        and account_id = ${this.#poll.accountId} and created_at >= ${this.#poll.since}`);
    const found = rows.map(({ verdict }) => verdict);
    if (this.#result.verdict === 'reply' && found.some((verdict) => REMOVALS.includes(verdict))) return [];
    return weaker.filter(([, by]) => by.some((verdict) => found.includes(verdict))).map(([status]) => status);
  }

  /** No more mail to this address, anywhere. One who had got the last mail already counts as having replied. */
  async leave(reason: string): Promise<void> {
    await this.log('unsubscribed', this.#match.lastStep);
    const isStopped = await this.end('stopped', reason);
    if (!isStopped && this.#result.verdict === 'unsubscribe_request') await this.end('replied');
    await suppressInTx(this.#tx, this.#app, this.caller, { email: this.#match.recipient, reason, endAs: 'stopped' });
  }

  async bounce(): Promise<void> {
    await this.#logBounce();
    await this.end('bounced', this.#result.reasons.at(-1));
    await suppressInTx(this.#tx, this.#app, this.caller, { email: this.#match.recipient, reason: 'bounce', endAs: 'bounced' });
  }

  /** A mail came back, and the address is not to blame for good: the third in a row ends the sequence. */
  async returned(): Promise<void> {
    const cause = this.#result.cause ?? 'temp';
    const isOurs = OUR_FAULT.includes(cause);
    if (isOurs && !(await this.#isLogged('failed'))) await this.log('failed', this.#match.mailStep);
    if (cause === 'limit' || cause === 'account') await this.#pauseSender(cause);
    if (!(await this.#isThirdInARow())) return;
    if (isOurs) {
      await this.end('stopped', this.#result.reasons.at(-1));
      return;
    }
    await this.#logBounce();
    await this.end('bounced', this.#result.reasons.at(-1));
  }

  /** Once a mail, however many reports of it come; the account that sent it has one bounce more. */
  async #logBounce(): Promise<void> {
    if (await this.#isLogged('bounced')) return;
    await this.log('bounced', this.#match.mailStep);
    await countBounce(this.#tx, this.#app, this.#match.senderId, false);
  }

  /** The mailbox that sent the mail may not send now, says its provider after having taken it. */
  async #pauseSender(cause: 'limit' | 'account'): Promise<void> {
    if (!(await isAccountActive(this.#tx, this.#match.senderId))) return;
    const reason = cause === 'limit' ? 'provider_limit' : 'provider_error';
    await pauseAccountInTx(this.#tx, this.#app, this.caller, this.#match.senderId, { reason, message: this.#result.reasons.join('; ') });
  }

  async #isLogged(type: EventType): Promise<boolean> {
    const rows = await this.#tx.query(sql`
      select 1 from events where enrolment_id = ${this.#match.enrolmentId} and type = ${type} and step_order = ${this.#match.mailStep} limit 1`);
    return rows.length > 0;
  }

  /** Whether this and the two before came back for mails that followed one another: no other was sent in between. */
  async #isThirdInARow(): Promise<boolean> {
    const id = this.#match.enrolmentId;
    const returned = await this.#tx.query<{ created_at: Date }>(sql`
      select created_at from inbound_messages where enrolment_id = ${id} and verdict = 'soft_bounce' order by id desc limit ${MAX_SOFT_BOUNCES}`);
    const first = returned[MAX_SOFT_BOUNCES - 1];
    if (first === undefined) return false;
    return (await acceptedSince(this.#tx, id, first.created_at)) < MAX_SOFT_BOUNCES;
  }
}

/** The working day after the return, from its beginning in the campaign's zone; a week from now where no day is named. */
export function holdUntil(until: string | null, now: Date, timezone: string): Date {
  if (until === null) return new Date(now.getTime() + DAYS_AWAY * DAY);
  let day = Date.parse(`${until}T00:00:00Z`) + DAY;
  while ([0, 6].includes(new Date(day).getUTCDay())) day += DAY;
  return atLocalTime(day, timezone);
}
