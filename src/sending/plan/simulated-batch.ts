import { isOpen } from '../../campaigns/index.ts';
import { MINUTE } from '../../core/clock.ts';
import type { Random } from '../../core/random.ts';
import { localDay } from '../../core/zone.ts';
import type { Allocation, BatchSlots } from './batch-slots.ts';
import { groupOf } from './campaign-state.ts';
import { type GapSettings, gapBetween } from './gap.ts';
import type { PlannedAccount } from './plan.ts';
import type { CampaignQueue, SimulatedEnrolment } from './simulated-queue.ts';

/** An account simulated over many days: ramp-up raises its limit, and gaps separate the emails of a batch. */
export interface SimulatedAccount extends PlannedAccount, GapSettings {
  /**
   * Returns the maximum number of emails on a local day, `YYYY-MM-DD`, given that the account will also have sent on the days `ahead`. By
   * default `dailyLimit` applies every day.
   */
  limitOn?: (day: string, ahead: readonly string[]) => number;
}

/** An email that will be sent unless something changes. */
export interface ForecastEmail {
  at: Date;
  enrolmentId: number;
  campaignId: number;
  stepOrder: number;
}

interface BatchWorld {
  day: SimulatedDay;
  queues: ReadonlyMap<number, CampaignQueue>;
  slots: BatchSlots;
  random: Random;
}

/** Delay before retrying a follow-up whose reply mailbox is unreadable, as in the sender. */
const RETRY_DELAY = MINUTE;

/** One simulated batch. An email that cannot be sent in its turn is released, as in the sender. */
export class SimulatedBatch {
  sent = 0;
  /** Time of the latest email. */
  moment: Date;
  readonly #account: SimulatedAccount;
  readonly #world: BatchWorld;

  constructor(at: Date, account: SimulatedAccount, world: BatchWorld) {
    this.moment = at;
    this.#account = account;
    this.#world = world;
  }

  *send(allocation: Allocation): Generator<ForecastEmail> {
    const { slots, queues, day } = this.#world;
    const queue = queues.get(allocation.campaignId) as CampaignQueue;
    for (const enrolment of this.#turns(allocation, queue)) {
      if (!this.#isOpen(allocation, enrolment) || day.isFull) {
        queue.putBack(enrolment);
      } else if (enrolment.isFollowUp && !queue.isMailboxRead(this.moment)) {
        queue.putBack(enrolment, new Date(this.moment.getTime() + RETRY_DELAY));
        slots.excludeFollowUps(allocation.campaignId);
      } else {
        yield { at: this.moment, enrolmentId: enrolment.id, campaignId: allocation.campaignId, stepOrder: enrolment.steps[0]?.order ?? 1 };
        this.sent++;
        day.state.sentToday++;
        slots.use(allocation.campaignId);
        queue.advance(enrolment, this.moment);
      }
    }
  }

  /** Yields the emails of an allocation, each after its pause. Under daily limits, each is taken on the day of its turn. */
  *#turns(allocation: Allocation, queue: CampaignQueue): Generator<SimulatedEnrolment> {
    const size = queue.isLimited ? 1 : allocation.count;
    for (let left = allocation.count; left > 0; left -= size) {
      if (queue.isLimited) this.#pause();
      const taken = queue.take({ ...allocation, count: size }, this.moment);
      if (taken.length < size) this.#world.slots.exclude(allocation.campaignId);
      for (const enrolment of taken) {
        if (!queue.isLimited) this.#pause();
        yield enrolment;
      }
      if (taken.length < size) return;
    }
  }

  #pause(): void {
    if (this.sent > 0) this.moment = new Date(this.moment.getTime() + gapBetween(this.#account, this.#world.random));
    this.#world.day.turnTo(this.moment);
  }

  /** A batch with gaps can extend beyond the end of a window. */
  #isOpen({ groups }: Allocation, enrolment: SimulatedEnrolment): boolean {
    const window = groupOf(groups, enrolment)?.window;
    return window !== undefined && isOpen(window, this.moment) && isOpen(this.#account.window, this.moment);
  }
}

/** The account's local day. A new day resets the count and may raise the limit. */
export class SimulatedDay {
  readonly state: PlannedAccount;
  readonly #account: SimulatedAccount;
  #day: string;
  /** Days so far on which the account has sent. */
  readonly #sendingDays: string[] = [];

  constructor(now: Date, account: SimulatedAccount) {
    this.#account = account;
    this.state = { ...account };
    this.#day = localDay(now, account.window.timezone);
  }

  get isFull(): boolean {
    return this.state.sentToday >= this.state.dailyLimit;
  }

  turnTo(at: Date): void {
    const day = localDay(at, this.#account.window.timezone);
    if (day === this.#day) return;
    if (this.state.sentToday > 0) this.#sendingDays.push(this.#day);
    this.#day = day;
    this.state.sentToday = 0;
    this.state.dailyLimit = this.#account.limitOn?.(day, this.#sendingDays) ?? this.#account.dailyLimit;
  }
}
