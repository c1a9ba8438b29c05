import { DAY } from '../../../src/core/clock.ts';
import { isOneMailbox, mailboxOf } from './addresses.ts';

/**
 * A small model of what docs/sending.md and docs/what-a-message-proves.md say about the life of an enrolment, in memory and without any code of the
 * program. Times are milliseconds. Everything is in UTC, so that a day has 24 hours.
 */

export type Status = 'active' | 'replied' | 'stopped' | 'bounced' | 'completed';
export type EventType = 'enrolled' | 'sent' | 'replied' | 'bounced' | 'failed' | 'unsubscribed';

/** If a poll finds two messages, the stronger one decides: removal or complaint > reply > other stop > bounce. 0: no message. */
export type Strength = 0 | 1 | 2 | 3 | 4;

export interface Account {
  id: number;
  email: string;
  status: 'active' | 'paused';
  reason: 'manual' | 'provider_limit' | null;
  pausedAt: number;
  /** Consecutive connections that its server cut, and the time until which it waits because of them. */
  cut: number;
  waitsUntil: number;
  isArchived: boolean;
  isDeleted: boolean;
}

export interface Step {
  id: number;
  kind: 'email' | 'call';
  wait: number;
  isLive: boolean;
}

export interface Campaign {
  id: number;
  status: 'active' | 'paused' | 'completed';
  isPausedByAccount: boolean;
  isArchived: boolean;
  isDeleted: boolean;
  account: Account;
  /** The recipient of a copy of each email; null for none. */
  copiesTo: string | null;
  /** Address for replies, if it is not the sender's. */
  replyTo: string | null;
  stopsCompany: boolean;
  /** C1.8: whether the sequence continues after an email whose delivery is unknown. */
  whenUnknown: 'wait' | 'continue';
  /** D2.4: whether the answer of a colleague ends the sequence. */
  whenColleagueReplies: 'stop' | 'continue';
  /** All steps in their order, including deleted ones. */
  steps: Step[];
}

export interface Contact {
  id: number;
  name: string;
  address: string;
  isArchived: boolean;
  isDeleted: boolean;
}

export interface Email {
  id: number;
  enrolment: Enrolment;
  step: Step;
  messageId: string;
  recipient: string;
  account: Account;
  state: 'claimed' | 'transmitting' | 'accepted' | 'retry' | 'failed' | 'uncertain' | 'unknown';
  permittedAt: number;
  /** D2.8: the account whose mailbox it named for replies. */
  promised: Account | null;
  acceptedAt: number | null;
  tries: number;
  /** Its copy: the recipient, and the Message-ID. */
  copy: { address: string; messageId: string } | null;
  /** A server has it, even if the program does not know. */
  isOut: boolean;
  /** It was permitted once, so that its subject is on record. */
  isRecorded: boolean;
  /** The sequence continued without knowing whether it was delivered. */
  isContinued: boolean;
  /** An inbound message proves that it was sent. */
  isProved: boolean;
  /** A report says that it came back temporarily, or that it was refused through our fault. */
  isReturned: boolean;
  /** Events that are logged once for each email. */
  logged: Set<EventType>;
}

export interface Enrolment {
  id: number;
  campaign: Campaign;
  contact: Contact;
  status: Status;
  /** The step due next; null while the campaign has none. */
  at: Step | null;
  /** When it is due; null while its email is in flight, its call pending, or it has ended. */
  dueAt: number | null;
  heldUntil: number | null;
  /** The end of a hold of the person, which also holds later enrolments (D2.11). */
  awayUntil: number | null;
  /** The account that it was last emailed from. */
  account: Account | null;
  emails: Map<Step, Email>;
  calls: Map<Step, { status: 'pending' | 'done' | 'cancelled'; at: number }>;
  failures: number;
  softRounds: number;
  /** It was active until a message of the poll with this number ended it. */
  endedInPoll: { poll: number; strength: Strength } | null;
  events: Record<EventType, number>;
}

/** Mailboxes that must not be emailed, in all workspaces or only in this one. */
export interface Suppression {
  workspaceOnly: boolean;
}

export class Life {
  now: number;
  poll = 0;
  accounts: Account[] = [];
  campaigns: Campaign[] = [];
  contacts: Contact[] = [];
  enrolments: Enrolment[] = [];
  suppressions = new Map<string, Suppression>();
  /** False while the mailboxes that receive the replies can't be polled. */
  isMailboxRead = true;

  constructor(now: number) {
    this.now = now;
  }

  get emails(): Email[] {
    return this.enrolments.flatMap((one) => [...one.emails.values()]);
  }

  log(enrolment: Enrolment, type: EventType): void {
    enrolment.events[type]++;
  }

  /**
   * G3: the statuses from which each end is reached. An enrolment that a weaker message of the same poll has ended still counts as active.
   */
  end(enrolment: Enrolment, status: Exclude<Status, 'active'>, strength: Strength = 0): boolean {
    const from: Record<typeof status, Status[]> = {
      replied: ['active', 'completed', 'bounced'],
      stopped: ['active'],
      bounced: ['active', 'completed'],
      completed: ['active'],
    };
    const wasActive = this.isActiveFor(enrolment, strength);
    if (!wasActive && !from[status].includes(enrolment.status)) return false;
    Object.assign(enrolment, { status, dueAt: null, heldUntil: enrolment.awayUntil });
    if (strength > 0 && wasActive) enrolment.endedInPoll = { poll: this.poll, strength };
    for (const call of enrolment.calls.values()) if (call.status === 'pending') call.status = 'cancelled';
    return true;
  }

  isActiveFor({ status, endedInPoll }: Enrolment, strength: Strength): boolean {
    return status === 'active' || (endedInPoll?.poll === this.poll && endedInPoll.strength < strength);
  }

  /** B34, G3, D2.2: the mailbox is never emailed again, and every active enrolment of it ends. */
  suppress(address: string, endAs: 'stopped' | 'bounced', workspaceOnly = false, strength: Strength = 0): void {
    const mailbox = mailboxOf(address);
    const known = this.suppressions.get(mailbox);
    this.suppressions.set(mailbox, { workspaceOnly: workspaceOnly && (known?.workspaceOnly ?? true) });
    for (const one of this.enrolments)
      if (isOneMailbox(one.contact.address, address) && this.isActiveFor(one, strength)) this.end(one, endAs, strength);
  }

  /** A step is carried out: the next one is due after its wait, starting now; without a next one the sequence is over. */
  advance(enrolment: Enrolment, step: Step, at: number): void {
    if (enrolment.status !== 'active') return;
    enrolment.failures = 0;
    const next = nextLive(enrolment.campaign, step);
    if (next === undefined) {
      this.end(enrolment, 'completed');
      return;
    }
    enrolment.at = next;
    enrolment.dueAt = at + next.wait * DAY;
  }

  /** G2: active → completed once no contact is active, nothing is in flight and no call is pending. Unknown emails don't keep it open. */
  completeFinished(): void {
    for (const campaign of this.campaigns) {
      const own = this.enrolments.filter((one) => one.campaign === campaign);
      const isOpen = own.some(
        (one) =>
          one.status === 'active' ||
          [...one.emails.values()].some(({ state }) => ['claimed', 'transmitting', 'uncertain'].includes(state)) ||
          [...one.calls.values()].some(({ status }) => status === 'pending'),
      );
      if (isRunning(campaign) && own.length > 0 && !isOpen) campaign.status = 'completed';
    }
  }

  /** G2: a completed campaign that has work again is reopened, if its account is live. */
  reopen(campaign: Campaign): void {
    if (campaign.status === 'completed' && !campaign.isArchived && !campaign.isDeleted && isLive(campaign.account))
      campaign.status = 'active';
  }

  isSuppressed = (address: string): boolean => this.suppressions.has(mailboxOf(address));

  /** G2, C1.1: replies and bounces are events if the effective reply address is a connected account. */
  isTracked({ campaign }: Enrolment, sender: Account): boolean {
    return this.replyAccount(campaign, sender) !== undefined;
  }

  replyAccount({ replyTo }: Campaign, sender: Account): Account | undefined {
    return this.accounts.find((one) => one.email === (replyTo ?? sender.email) && isLive(one));
  }
}

export const isLive = (record: { isArchived: boolean; isDeleted: boolean }): boolean => !record.isArchived && !record.isDeleted;
export const isRunning = (campaign: Campaign): boolean => campaign.status === 'active' && isLive(campaign);
export const liveSteps = ({ steps }: Campaign): Step[] => steps.filter(({ isLive }) => isLive);
export const nextLive = ({ steps }: Campaign, step: Step): Step | undefined =>
  steps.slice(steps.indexOf(step) + 1).find(({ isLive: live }) => live);

/** B13: a contact who was emailed keeps the account while it is live. */
export const senderOf = ({ account, campaign }: Enrolment): Account => (account !== null && isLive(account) ? account : campaign.account);

/** Returns when the step of an email was carried out, as far as is known; null before that. */
export const doneAt = ({ acceptedAt, isContinued, permittedAt }: Email): number | null => acceptedAt ?? (isContinued ? permittedAt : null);

/** Returns when the last step of an enrolment was carried out; null if none was. */
export function lastDone({ emails, calls }: Enrolment): number | null {
  const times = [
    ...[...emails.values()].flatMap((email) => doneAt(email) ?? []),
    ...[...calls.values()].filter(({ status }) => status === 'done').map(({ at }) => at),
  ];
  return times.length === 0 ? null : Math.max(...times);
}

export const newEnrolment = (id: number, campaign: Campaign, contact: Contact, now: number): Enrolment => ({
  ...{
    id,
    campaign,
    contact,
    status: 'active',
    at: liveSteps(campaign)[0] ?? null,
    dueAt: now,
    heldUntil: null,
    awayUntil: null,
    account: null,
  },
  ...{ emails: new Map(), calls: new Map(), failures: 0, softRounds: 0, endedInPoll: null },
  events: { enrolled: 1, sent: 0, replied: 0, bounced: 0, failed: 0, unsubscribed: 0 },
});
