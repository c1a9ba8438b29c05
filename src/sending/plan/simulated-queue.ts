import { endOfWait } from '../../campaigns/index.ts';
import type { Wait } from '../../core/wait-text.ts';
import type { Allocation } from './batch-slots.ts';
import { type CampaignState, type Group, groupOf } from './campaign-state.ts';
import type { DayLeft } from './day-left.ts';

/** State of an enrolment in the simulation, with its remaining steps. */
export interface SimulatedEnrolment {
  id: number;
  campaignId: number;
  variant: 'A' | 'B' | null;
  /** The contact's time zone, if the campaign uses the time zones of its contacts. */
  timezone: string | null;
  dueAt: Date;
  /** Time until which it is held, while it keeps its place by `dueAt`; not held by default. */
  heldUntil?: Date | null;
  /** Domain of the contact's company, in campaigns that limit emails to one company; null for a mailbox provider's domain. */
  company?: string | null;
  isFollowUp: boolean;
  /** Live steps, starting with the current one. The simulation assumes that calls are made when they become due. */
  steps: readonly SimulatedStep[];
}

interface SimulatedStep extends Wait {
  order: number;
  kind: 'email' | 'call';
}

/** A group without its due emails, because the simulation counts those itself. */
type SimulatedGroup = Omit<Group, 'due' | 'nextDue'>;

export interface SimulatedCampaign extends Omit<CampaignState, 'groups'> {
  groups: readonly SimulatedGroup[];
  /** Returns false while the reply mailbox is unreadable, so that no follow-up is sent; by default always true. */
  isMailboxRead?: (at: Date) => boolean;
}

const readyAt = ({ dueAt, heldUntil }: SimulatedEnrolment): Date => (heldUntil != null && heldUntil > dueAt ? heldUntil : dueAt);

const byReady = (x: SimulatedEnrolment, y: SimulatedEnrolment) => readyAt(x).getTime() - readyAt(y).getTime() || byDue(x, y);

const byDue = (x: SimulatedEnrolment, y: SimulatedEnrolment) => x.dueAt.getTime() - y.dueAt.getTime() || x.id - y.id;

/** Waiting enrolments of one campaign, in the sender's order: follow-ups first, longest due first. */
export class CampaignQueue {
  readonly #campaign: SimulatedCampaign;
  readonly #queues: Map<SimulatedGroup, GroupQueue>;
  constructor(campaign: SimulatedCampaign) {
    this.#campaign = campaign;
    this.#queues = new Map(campaign.groups.map((group) => [group, new GroupQueue()]));
  }

  /** Queues an enrolment until its next email is due. Drops enrolments without a remaining email or a known group. */
  wait(enrolment: SimulatedEnrolment): void {
    const group = groupOf(this.#campaign.groups, enrolment);
    const atEmail = this.#atNextEmail(enrolment);
    if (group !== undefined && atEmail !== undefined) this.#queues.get(group)?.wait(atEmail);
  }

  /** True if the campaign has daily limits, so each email must be taken only when its turn comes. */
  get isLimited(): boolean {
    return this.#campaign.left !== undefined;
  }

  isMailboxRead(at: Date): boolean {
    return this.#campaign.isMailboxRead?.(at) ?? true;
  }

  stateAt(now: Date, atMost: number): CampaignState {
    const groups = [...this.#queues].map(([group, queue]) => ({ ...group, ...queue.stateAt(now, atMost) }));
    const left = this.#leftAt(now);
    const newContacts = this.#campaign.newContacts && left && { newContacts: { left: left.newContacts, nextDay: left.nextDay } };
    return { ...this.#campaign, ...newContacts, groups };
  }

  /** Takes the next emails of an allocation that the limits allow. Companies that reached their limit wait for the next day. */
  take(allocation: Allocation, now: Date): SimulatedEnrolment[] {
    const left = this.#leftAt(now);
    if (left === undefined) return this.#takeNext(allocation, allocation.count);
    const taken: SimulatedEnrolment[] = [];
    const beyond: SimulatedEnrolment[] = [];
    while (taken.length < allocation.count) {
      const [next] = this.#takeNext(allocation, 1, left.newContacts === 0);
      if (next === undefined) break;
      if (left.admit(!next.isFollowUp, next.company ?? null)) taken.push(next);
      else beyond.push({ ...next, heldUntil: left.nextDay });
    }
    for (const enrolment of beyond) this.wait(enrolment);
    return taken;
  }

  /** Puts back a taken enrolment whose email can't be sent now. @param dueAt the time of the next attempt */
  putBack(enrolment: SimulatedEnrolment, dueAt = enrolment.dueAt): void {
    this.#campaign.left?.giveBack(!enrolment.isFollowUp, enrolment.company ?? null);
    this.wait({ ...enrolment, dueAt });
  }

  #leftAt(now: Date): DayLeft | undefined {
    this.#campaign.left?.turnTo(now);
    return this.#campaign.left;
  }

  #takeNext({ groups, firstOnly }: Allocation, count: number, noFirst = false): SimulatedEnrolment[] {
    const isInShare = ({ window, isFirst }: SimulatedGroup) => groups.some((group) => group.window === window && group.isFirst === isFirst);
    const open = [...this.#queues].filter(([group]) => isInShare(group)).map(([, queue]) => queue);
    const takeFirst = (kind: Kind) => {
      const heads = open.filter((queue) => queue.head(kind) !== undefined);
      const [first] = heads.sort((x, y) => byDue(x.head(kind) as SimulatedEnrolment, y.head(kind) as SimulatedEnrolment));
      return first?.shift(kind);
    };
    const takeNext = () => (firstOnly ? undefined : takeFirst('followUps')) ?? (noFirst ? undefined : takeFirst('first'));
    return Array.from({ length: count }, takeNext).filter((taken) => taken !== undefined);
  }

  /** Moves an enrolment to its next email. The wait counts from the email just sent. */
  advance(enrolment: SimulatedEnrolment, at: Date): void {
    const steps = enrolment.steps.slice(1);
    this.wait({ ...enrolment, steps, dueAt: this.#waitOf(steps, at), heldUntil: null, isFollowUp: true });
  }

  /** Skips calls, which count as made when due. */
  #atNextEmail(enrolment: SimulatedEnrolment): SimulatedEnrolment | undefined {
    let { dueAt, steps } = enrolment;
    while (steps[0]?.kind === 'call') {
      steps = steps.slice(1);
      dueAt = this.#waitOf(steps, dueAt);
    }
    return steps.length === 0 ? undefined : { ...enrolment, dueAt, steps };
  }

  #waitOf([step]: SimulatedEnrolment['steps'], from: Date): Date {
    return step === undefined ? from : endOfWait(from, step, this.#campaign);
  }
}

type Kind = 'followUps' | 'first';

/** Enrolments of one group, waiting and due. */
class GroupQueue {
  readonly #waiting: SimulatedEnrolment[] = [];
  #isSorted = true;
  readonly #ready: Record<Kind, SimulatedEnrolment[]> = { followUps: [], first: [] };

  wait(enrolment: SimulatedEnrolment): void {
    this.#waiting.push(enrolment);
    this.#isSorted = false;
  }

  head = (kind: Kind): SimulatedEnrolment | undefined => this.#ready[kind][0];
  shift = (kind: Kind): SimulatedEnrolment | undefined => this.#ready[kind].shift();

  stateAt(now: Date, atMost: number): Pick<Group, 'due' | 'nextDue'> {
    this.#promote(now);
    const due = Math.min(atMost, this.#ready.followUps.length + this.#ready.first.length);
    return { due, nextDue: this.#waiting[0] === undefined ? null : readyAt(this.#waiting[0]) };
  }

  /** Inserts by `dueAt`, so that an enrolment that was held comes before those that became due after it. */
  #queue(ready: SimulatedEnrolment[], enrolment: SimulatedEnrolment): void {
    const after = ready.findLastIndex((other) => byDue(other, enrolment) <= 0);
    ready.splice(after + 1, 0, enrolment);
  }

  #promote(now: Date): void {
    if (!this.#isSorted) this.#waiting.sort(byReady);
    this.#isSorted = true;
    let count = 0;
    while (count < this.#waiting.length && readyAt(this.#waiting[count] as SimulatedEnrolment) <= now) count++;
    for (const enrolment of this.#waiting.splice(0, count))
      this.#queue(this.#ready[enrolment.isFollowUp ? 'followUps' : 'first'], enrolment);
  }
}
